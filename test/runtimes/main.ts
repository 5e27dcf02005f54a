/** The smoke program of runtimes that have `node:process`. */
import process from "node:process"
import type { Claim } from "./Claim.js"
import { check } from "./Claim.js"

/** Checks claims, prints their lines and exits. */
export const main = async (claims: ReadonlyArray<Claim>): Promise<never> => {
  const lines = await check(claims)
  console.log(lines.join("\n"))
  process.exit(lines.every((line) => line.startsWith("ok ")) ? 0 : 1)
}
