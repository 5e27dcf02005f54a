/**
 * Holds FILE in a transaction that "reads" or "writes" until its input ends, or for so many
 * milliseconds.
 */
import { anySqlite } from "./anySqlite.js"
import { say } from "./say.js"

const [filename = "", how = "reads", milliseconds] = process.argv.slice(2)
const file = anySqlite(filename)
file.exec(how === "writes" ? "BEGIN IMMEDIATE" : "BEGIN; SELECT count(*) FROM pets")
say("holding")
const end = (): void => {
  file.close()
  process.exit(0)
}
if (milliseconds === undefined) process.stdin.resume().once("end", end)
else setTimeout(end, Number(milliseconds))
