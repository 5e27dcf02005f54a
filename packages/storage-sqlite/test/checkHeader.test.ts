/** What is read of a file and its log while other processes write them. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import type * as FileSystem from "node:fs"
import { describe, expect, test, vi } from "vitest"
import { checkHeader } from "../src/connection/checkHeader.js"
import { aFile, openStore } from "./aFile.js"

/** Runs once, when the log is about to be opened. */
const beforeLog = vi.hoisted(() => ({ run: (): void => undefined }))

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>()
  return {
    ...fs,
    openSync: (path: string, flags: string) => {
      if (path.endsWith("-wal")) beforeLog.run()
      return fs.openSync(path, flags)
    }
  }
})

type Files = { readonly file: Buffer; readonly log: Buffer | undefined }

const filesOf = (filename: string): Files => ({
  file: readFileSync(filename),
  log: existsSync(`${filename}-wal`) ? readFileSync(`${filename}-wal`) : undefined
})

const put = (filename: string, { file, log }: Files): void => {
  writeFileSync(filename, file)
  if (log !== undefined) writeFileSync(`${filename}-wal`, log)
}

/** A store at the end of one session, and in the middle of the next. */
const twoSessions = async (): Promise<readonly [Files, Files]> => {
  const filename = aFile()
  await (await openStore({ filename })).close()
  const ended = filesOf(filename)
  const store = await openStore({ filename })
  for (const name of ["a", "b"]) store.direct.categories.create({ name })
  const copy = aFile()
  for (const suffix of ["", "-wal"]) copyFileSync(filename + suffix, copy + suffix)
  return [ended, filesOf(copy)]
}

describe("a file and its log", () => {
  test("are looked at again where another process began a session between the two looks", async () => {
    const [ended, begun] = await twoSessions()
    const filename = aFile()
    put(filename, { ...ended, log: begun.log })
    let times = 0
    beforeLog.run = () => {
      if (times++ === 0) put(filename, begun)
    }
    expect(() => checkHeader(filename)).not.toThrow()
    expect(times).toBe(2)
  })

  test("of two sessions are refused, however long the log is", async () => {
    const [ended, begun] = await twoSessions()
    const filename = aFile()
    put(filename, { ...ended, log: begun.log })
    expect(() => checkHeader(filename)).toThrow("-wal does not belong to")
    // SQLite may keep the length of a log that it starts anew.
    truncateSync(`${filename}-wal`, 65 * 2 ** 20)
    expect(statSync(`${filename}-wal`).size).toBe(65 * 2 ** 20)
    expect(() => checkHeader(filename)).toThrow("-wal does not belong to")
  })
})
