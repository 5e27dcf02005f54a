import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { ImportLocked, lock } from "../../../src/import/progress/lock.js"
import { processSpace, startOf } from "../../../src/import/progress/processIdentity.js"

const root = mkdtempSync(join(tmpdir(), "petstore-lock-"))
afterAll(() => rmSync(root, { recursive: true }))

let file = ""
beforeEach(() => {
  file = join(mkdtempSync(join(root, "test-")), "progress.jsonl")
})

const NOW_MS = 1_800_000_000_000
const now = () => NOW_MS

const leave = (content: unknown, agoMs = 0) => {
  writeFileSync(`${file}.lock`, typeof content === "string" ? content : JSON.stringify(content))
  const at = (NOW_MS - agoMs) / 1_000
  utimesSync(`${file}.lock`, at, at)
}

const OF_THIS_PROCESS = {
  pid: process.pid,
  space: processSpace() ?? null,
  start: startOf(process.pid) ?? null,
  token: "another import"
}

const anotherProcess = async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6); console.log(1)"])
  await once(child.stdout, "data")
  return child
}

const isFree = () => {
  try {
    lock(file, now)()
    return true
  } catch (cause) {
    expect(cause).toBeInstanceOf(ImportLocked)
    return false
  }
}

describe("a lock", () => {
  test("is held until it is given back, and nothing of it is left then", () => {
    const giveBack = lock(file)
    expect(isFree()).toBe(false)
    expect(isFree()).toBe(false)
    giveBack()
    expect(isFree()).toBe(true)
    expect(readdirSync(join(file, ".."))).toEqual([])
  })

  test.runIf(processSpace() !== undefined)(
    "of a process that is there is held, however long ago that touched it",
    () => {
      leave(OF_THIS_PROCESS, 86_400_000)
      expect(isFree()).toBe(false)
    }
  )

  test("of a process that has died is free, although another has its id by now, which may be this one", async () => {
    const other = await anotherProcess()
    try {
      for (const pid of [process.pid, other.pid]) {
        leave({ ...OF_THIS_PROCESS, pid, start: "1" })
        expect(isFree()).toBe(true)
      }
    } finally {
      other.kill()
    }
  })

  test("of a process that was killed is free at once", async () => {
    const other = await anotherProcess()
    const pid = other.pid ?? 0
    leave({ ...OF_THIS_PROCESS, pid, start: startOf(pid) ?? null })
    expect(isFree()).toBe(false)
    other.kill("SIGKILL")
    await once(other, "exit")
    expect(isFree()).toBe(true)
  })

  test.each([
    ["another container", { ...OF_THIS_PROCESS, space: "boot pid:[1]" }],
    [
      "another container with the same ids",
      { ...OF_THIS_PROCESS, space: "boot pid:[1]", start: "1" }
    ],
    ["a system that tells nothing of processes", { ...OF_THIS_PROCESS, space: null, start: null }]
  ])("of %s is held while it is touched, and free 20 seconds after", (_, holder) => {
    leave(holder, 19_000)
    expect(isFree()).toBe(false)
    expect(() => lock(file, now)).toThrow("try again in 1 s")
    leave(holder, 20_000)
    expect(isFree()).toBe(true)
    leave(holder, -20_000) // a clock that was set back holds nothing for ever
    expect(isFree()).toBe(true)
  })

  test.each(["", "4711", String(process.pid), String(process.ppid), "{}", '{"pid":1', "null"])(
    "that no import has written is none: %j",
    (content) => {
      leave(content)
      expect(isFree()).toBe(true)
    }
  )

  test("is not given back by an import that has lost it", () => {
    const giveBack = lock(file)
    leave({ ...OF_THIS_PROCESS, token: "a later import" })
    giveBack()
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8"))).toMatchObject({
      token: "a later import"
    })
  })
})

describe("a process", () => {
  test.skipIf(process.platform === "win32")(
    "has a start that stays, and none once it has ended",
    async () => {
      const other = await anotherProcess()
      const pid = other.pid ?? 0
      expect(startOf(pid)).toMatch(/./)
      expect(startOf(pid)).toBe(startOf(pid))
      other.kill("SIGKILL")
      await once(other, "exit")
      expect(startOf(pid)).toBeUndefined()
    }
  )

  test.runIf(process.platform === "linux")(
    "that has ended, and whose parent has not asked for it yet, has ended",
    async () => {
      // It ends only once its parent is a program that asks for no children.
      const parent = spawn("sh", ["-c", "exec 3<&0; (read line <&3) & echo $!; exec sleep 1000"])
      const [printed]: ReadonlyArray<unknown> = await once(parent.stdout, "data")
      const parentName = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim()
      await expect.poll(parentName).toBe("sleep")
      parent.stdin.write("\n")
      await expect.poll(() => startOf(Number(printed))).toBe("ended")
      parent.kill()
    }
  )
})
