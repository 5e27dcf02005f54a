/**
 * Holds FILE in a transaction that "reads" or "writes" until its input ends, or for so many
 * milliseconds.
 */
import Connection from "better-sqlite3"
import { say } from "./say.js"

const [filename = "", how = "reads", milliseconds] = process.argv.slice(2)
const file = new Connection(filename, { fileMustExist: true })
file.exec(how === "writes" ? "BEGIN IMMEDIATE" : "BEGIN; SELECT count(*) FROM pets")
say("holding")
const end = (): void => {
  file.close()
  process.exit(0)
}
if (milliseconds === undefined) process.stdin.resume().once("end", end)
else setTimeout(end, Number(milliseconds))
