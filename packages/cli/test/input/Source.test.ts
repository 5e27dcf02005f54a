import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test, vi } from "vitest"
import { openSource, type Source } from "../../src/input/Source.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-source-"))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const never = new AbortController().signal

const textOf = async ({ bytes }: Source): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of bytes()) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** A named pipe, and a process that writes into it. */
const pipeOf = (name: string, command: string): string => {
  const path = join(folder, name)
  spawnSync("mkfifo", [path])
  spawn("sh", ["-c", `{ ${command}; } > "${path}"`])
  return path
}

describe("a source", () => {
  test("is read from its beginning each time", async () => {
    const file = join(folder, "file")
    writeFileSync(file, "one and the same")
    const source = await openSource(file, never)
    expect([await textOf(source), await textOf(source)]).toEqual([
      "one and the same",
      "one and the same"
    ])
    expect(source.copied).toBe(false)
    source.close()
  })

  test.skipIf(process.platform === "win32")(
    "that is a pipe is copied, and no copy can be found by others",
    async () => {
      const temporary = mkdtempSync(join(folder, "tmp-"))
      vi.stubEnv("TMPDIR", temporary)
      const source = await openSource(
        pipeOf("pipe", "printf 'once'; sleep 0; printf ' only'"),
        never
      )
      expect(source.copied).toBe(true)
      expect(readdirSync(temporary)).toEqual([])
      expect([await textOf(source), await textOf(source)]).toEqual(["once only", "once only"])
      source.close()
      expect(readdirSync(temporary)).toEqual([])
    }
  )

  test.skipIf(process.platform === "win32")(
    "that is a pipe is given up where that is asked for, and nothing of it is left",
    async () => {
      const temporary = mkdtempSync(join(folder, "tmp-"))
      vi.stubEnv("TMPDIR", temporary)
      const cancel = new AbortController()
      const opened = openSource(pipeOf("endless", "exec cat /dev/zero"), cancel.signal)
      cancel.abort()
      await expect(opened).rejects.toThrow("aborted")
      expect(readdirSync(temporary)).toEqual([])
    }
  )

  test("that is not there, or is a folder, is no source", async () => {
    await expect(openSource(join(folder, "missing"), never)).rejects.toThrow("ENOENT")
    await expect(openSource(folder, never).then(textOf)).rejects.toThrow("EISDIR")
  })
})
