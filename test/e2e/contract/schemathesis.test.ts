/** `npm run test:schemathesis` runs, with few cases; in full it takes minutes. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const script = fileURLToPath(new URL("../../../scripts/schemathesis.mjs", import.meta.url))
const isThere = ["schemathesis", "st"].some((name) => spawnSync(name, ["--version"]).status === 0)

it.skipIf(!isThere)(
  `schemathesis finds nothing in the examples of the document${isThere ? "" : "; it is not installed here"}`,
  { timeout: 600_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, "-n", "1", "--phases", "examples"],
      { encoding: "utf8" }
    )
    expect(status, `${stdout}\n${stderr}`).toBe(0)
    expect(stdout.match(/Examples \(in/g)).toHaveLength(2)
  }
)
