/**
 * Runs one measurement of the library in a process of its own, and prints it as JSON:
 * `main.js calls ROUNDS`, `main.js memory|file PETS`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { calls } from "./calls.js"
import { many } from "./many.js"

const [what, count = "0"] = process.argv.slice(2)
const folder = mkdtempSync(
  join(process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir(), "petstore-bench-")
)
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const measured =
  what === "memory" || what === "file"
    ? await many(what, folder, Number(count))
    : await calls(folder, Number(count))
console.log(JSON.stringify(measured))
process.exit(0)
