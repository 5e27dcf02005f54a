import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, served } from "./petstore.js"
import { CTRL_C, hasPseudoTerminal, inTerminal } from "./pseudoTerminal.js"

const folder = folders()
afterEach(killAll)

/**
 * An import that meets the limit of the plan free (60 requests a minute), and waits for longer than
 * a test takes.
 */
const waitingImport = async (columns: number) => {
  const shop = await served("--memory", "--demo-plan", "free")
  const list = join(folder(), "list.csv")
  writeFileSync(list, `Name,Kind\n${"Rex,Dog\n".repeat(500)}`)
  const args = ["import", list, "--name", "Name", "--category", "Kind", "--url", shop.url]
  const terminal = inTerminal(columns, [...args, "--max-wait", "600"], { PETSTORE_KEY: shop.key })
  await expect.poll(() => terminal.raw()).toContain("Waiting")
  return terminal
}

/** The line is drawn anew so many times. */
const draws = async (terminal: { readonly raw: () => string }, count = 3): Promise<void> => {
  const before = terminal.raw().split("of 500").length
  await expect
    .poll(() => terminal.raw().split("of 500").length)
    .toBeGreaterThanOrEqual(before + count)
}

describe.skipIf(!hasPseudoTerminal)("on a terminal (made by python3)", { timeout: 60_000 }, () => {
  test("that is narrow, the progress line stays one row", async () => {
    const terminal = await waitingImport(40)
    await draws(terminal)
    const progress = terminal.screen.rows.filter((row) => row.includes("of 500 lines"))
    expect(progress.length).toBe(1)
    expect(terminal.screen.rows.at(-1)).toBe(progress[0])
    terminal.kill()
  })

  test("that is made narrower and wider, the progress line stays one row", async () => {
    const terminal = await waitingImport(100)
    await draws(terminal)
    for (const columns of [30, 12, 75, 20, 100]) {
      terminal.resize(columns)
      await draws(terminal)
      const { rows } = terminal.screen
      expect(rows.filter((row) => row.includes("of 500")).length, `${columns} columns`).toBe(1)
    }
    terminal.kill()
  })

  test("Ctrl-C says on a line of its own that it stops, and leaves no progress line", async () => {
    const terminal = await waitingImport(60)
    await draws(terminal)
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    const { rows } = terminal.screen
    expect(rows.find((row) => row.includes("stopping"))).toMatch(/^petstore: stopping; /)
    expect(rows.filter((row) => /of 500 lines \(/.test(row))).toEqual([])
    expect(rows.join("\n")).toMatch(/\npetstore: interrupted\n?$/)
    expect(rows.join("\n")).not.toContain("Warning")
  })

  test("that knows no escape codes gets none", async () => {
    const shop = await served("--memory")
    const list = join(folder(), "list.csv")
    writeFileSync(list, `Name,Kind\n${"Rex,Dog\n".repeat(500)}`)
    const args = ["import", list, "--name", "Name", "--category", "Kind", "--url", shop.url]
    const terminal = inTerminal(80, args, { PETSTORE_KEY: shop.key, TERM: "dumb" })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw()).not.toContain("\u001b")
    expect(terminal.raw()).toContain("500 of 500 lines loaded")
  })
})
