/** The smoke program of runtimes that have `node:process`. */
import process from "node:process"
import type { Claim } from "./Claim.js"
import { check } from "./Claim.js"

/** Checks claims, prints their lines and sets the exit code. */
export const main = async (claims: ReadonlyArray<Claim>): Promise<void> => {
  const lines = await check(claims)
  console.log(lines.join("\n"))
  process.exitCode = lines.every((line) => line.startsWith("ok ")) ? 0 : 1
}
