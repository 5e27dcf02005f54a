/**
 * Commands in a row, `node aborts.js [CALLS]` (300), each a process on the Node that runs this.
 * A command that is aborted has no exit code of its own, and may have said nothing.
 */
import { join } from "node:path"
import type { Claim } from "./Claim.js"
import { type Ended, petstore } from "./command.js"
import { inFolder } from "./file.js"
import { main } from "./main.js"

const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["keys", "create", "--plan", "pro"],
  ["keys", "list"],
  ["accounts", "set-plan", "1", "business"],
  ["limits", "explain", "--account", "1"],
  ["history", "pet", "1"],
  ["deprecations"],
  ["webhooks", "list"],
  ["verify"],
  ["status"]
]

const AT_ONCE = 2

/** Why a run is no ordered end, if it is none. `status` ends with 1 where something needs care. */
const faultIn = ({ code, signal, stdout, stderr }: Ended): string | undefined =>
  (code === 0 || code === 1) && stdout !== "" && stderr === ""
    ? undefined
    : `code ${code}, signal ${signal}: ${stderr}`

const calls = Math.ceil(Number(process.argv[2] ?? 300) / COMMANDS.length)

const claimOf = (command: ReadonlyArray<string>, filename: string): Claim => ({
  claim: `petstore ${command.join(" ")}: ${calls} of ${calls} calls end in order`,
  check: async () => {
    const faults: Array<string> = []
    let left = calls
    const inTurn = async () => {
      while (left-- > 0) {
        const fault = faultIn(await petstore([], ...command, "--db", filename))
        if (fault !== undefined) faults.push(fault)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn))
    if (faults.length > 0) throw new Error(`${faults.length} did not: ${faults[0]}`)
  }
})

await inFolder(async (folder) => {
  const filename = join(folder, "shop.db")
  const seeded = await petstore([], "seed", "--db", filename)
  if (seeded.code !== 0) throw new Error(seeded.stderr)
  await main(COMMANDS.map((command) => claimOf(command, filename)))
})
