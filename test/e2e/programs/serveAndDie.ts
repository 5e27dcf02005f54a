/**
 * Serves the shop in FILE, and ends by SIGKILL in the middle of the first write: with "before",
 * before anything is committed; with "after", between the commit and the answer.
 */
import { PetStore } from "@petstore/core"
import { andThen } from "@petstore/core/adapter"
import { serve } from "@petstore/http-adapter"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = "", when = "after"] = process.argv.slice(2)
const { engine } = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })

const die = (): never => {
  process.kill(process.pid, "SIGKILL")
  throw new Error("killed")
}

const { url } = await serve(
  {
    engine: {
      ...engine,
      write: (start) => (when === "before" ? engine.write(die) : andThen(engine.write(start), die))
    }
  },
  { port: 0 }
)
say("listens", url)
