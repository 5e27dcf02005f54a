/** The shop of a hand-written peer, filled. */
import type { Storage } from "../Peer.js"
import { aFile } from "./aFile.js"
import { mapShop } from "./mapShop.js"
import type { Shop } from "./Shop.js"
import { sqliteShop } from "./sqliteShop.js"

export const openShop = (storage: Storage): Shop =>
  storage === "file" ? sqliteShop(aFile()) : mapShop()
