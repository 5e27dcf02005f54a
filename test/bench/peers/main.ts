/**
 * Runs one peer as a process: `main.js PEER memory|file`. Prints its port and a key, and ends on
 * SIGTERM.
 */
import { isPeerName, PEERS } from "./Peer.js"

const [name, storage] = process.argv.slice(2)
if (!isPeerName(name) || (storage !== "memory" && storage !== "file"))
  throw new Error(`usage: main.js ${Object.keys(PEERS).join("|")} memory|file`)

const serve = await PEERS[name]()
const { port, key } = await serve(storage)
process.on("SIGTERM", () => process.exit(0))
console.log(JSON.stringify({ port, key }))
