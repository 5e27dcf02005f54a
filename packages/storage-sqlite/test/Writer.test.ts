import {
  categories,
  COLLECTIONS,
  get,
  insert,
  type Program,
  refuse,
  StorageError
} from "@petstore/core/storage"
import { primaryCode } from "../src/driver/resultCodes.js"
import { SqliteError } from "../src/driver/SqliteError.js"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect, Either, Exit, Fiber } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Outcome } from "../src/write/Submission.js"
import { Tables } from "../src/table/Tables.js"
import { ReentrancyGuard } from "../src/base/ReentrancyGuard.js"
import { ReadSnapshot } from "../src/read/ReadSnapshot.js"
import { Writer } from "../src/write/Writer.js"
import { aFile, openPorts, openStore } from "./aFile.js"

const category = (name: string) => ({ name, foldedName: name, description: null })

function* adding(name: string): Program<number> {
  const { id } = yield* insert(categories, category(name))
  return id
}

/** A transaction of another connection that holds the write lock until it is released. */
const holdLock = (filename: string) => {
  const other = openSqlite(filename)
  other.exec("BEGIN IMMEDIATE")
  return () => other.close()
}

const namesIn = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename)
  const names = file.values("SELECT name FROM categories ORDER BY id").all()
  file.close()
  return names
}

const reasonOf = (answer: Either.Either<unknown, unknown>): unknown =>
  Either.isLeft(answer) && answer.left instanceof StorageError ? answer.left.reason : answer

describe("programs that share a commit", () => {
  test("one that refuses, and one that dies, are undone alone", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename })
    const submitted = [
      submit(() => adding("a")),
      submit(function* () {
        yield* adding("refused")
        return yield* refuse("no")
      }),
      submit(function* () {
        yield* adding("dies")
        throw new Error("a fault")
      }),
      submit(() => adding("b"))
    ]
    const told = await Promise.allSettled(submitted)
    expect(told.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled"
    ])
    expect(namesIn(filename)).toEqual(["a", "b"])
  })

  test("each runs once, unless one refuses after it has written: then all run anew, and one of later groups is undone by itself", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename })
    let runs = 0
    function* counted(name: string): Program<number> {
      runs++
      return yield* adding(name)
    }
    const refusing = (before: () => Program<unknown>) =>
      submit(function* () {
        yield* before()
        return yield* refuse("no")
      })
    const group = (before: () => Program<unknown>) =>
      Promise.all([submit(() => counted("a")), refusing(before), submit(() => counted("b"))])

    const early = await group(() => get(categories, 1))
    expect([early, runs]).toEqual([[Either.right(1), Either.left("no"), Either.right(2)], 2])
    const late = await group(() => adding("refused"))
    expect([late, runs]).toEqual([[Either.right(3), Either.left("no"), Either.right(4)], 5])
    const later = await group(() => adding("refused"))
    expect([later, runs]).toEqual([[Either.right(5), Either.left("no"), Either.right(6)], 7])
    expect(namesIn(filename)).toEqual(["a", "b", "a", "b", "a", "b"])
  })

  test("each sees what those before it wrote", async () => {
    const { submit } = await openPorts({ filename: aFile() })
    const [, found] = await Promise.all([
      submit(() => adding("a")),
      submit(function* () {
        return (yield* get(categories, 1))?.name
      })
    ])
    expect(found).toEqual(Either.right("a"))
  })

  test("one that was interrupted before it ran never runs", async () => {
    const filename = aFile()
    const { storage } = await openPorts({ filename })
    const exits = await Effect.runPromise(
      Effect.gen(function* () {
        const kept = yield* Effect.fork(storage.write(() => adding("kept")))
        const given = yield* Effect.fork(storage.write(() => adding("given up")))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(given)
        return yield* Effect.all([Fiber.await(kept), Fiber.await(given)])
      })
    )
    expect(exits.map(Exit.isSuccess)).toEqual([true, false])
    expect(namesIn(filename)).toEqual(["kept"])
  })

  test("what was submitted before closing is stored, and what comes later is refused", async () => {
    const filename = aFile()
    const { direct, submit, close } = await openPorts({ filename })
    const submitted = Promise.all(
      Array.from({ length: 600 }, (_, number) => submit(() => adding(`${number}`)))
    )
    await close()
    const answers = await submitted
    expect(answers.every(Either.isRight)).toBe(true)
    expect(namesIn(filename)).toHaveLength(600)
    expect(reasonOf(await submit(() => adding("late")))).toBe("Unavailable")
    expect(reasonOf(direct.write(() => adding("late")))).toBe("Unavailable")
    expect(reasonOf(direct.read(() => get(categories, 1)))).toBe("Unavailable")
  })

  test("closing waits for the lock as long as those that wait for it", async () => {
    const filename = aFile()
    const { submit, close } = await openPorts({ filename, busyMs: 2_000 })
    const release = holdLock(filename)
    const submitted = submit(() => adding("a"))
    const closing = close()
    setTimeout(release, 50)
    await closing
    expect(Either.isRight(await submitted)).toBe(true)
    expect(namesIn(filename)).toEqual(["a"])
  })
})

describe("while another connection writes", () => {
  test("a submitted program leaves the event loop alone while it waits, and succeeds", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename })
    const release = holdLock(filename)
    let turns = 0
    const turning = setInterval(() => ++turns === 20 && release(), 2)
    const submitted = Promise.all(["a", "b", "c"].map((name) => submit(() => adding(name))))
    await submitted
    clearInterval(turning)
    expect(turns).toBeGreaterThanOrEqual(20)
    expect((await submitted).every(Either.isRight)).toBe(true)
    expect(namesIn(filename)).toEqual(["a", "b", "c"])
  })

  test("a submitted program that has waited as long as it may is Busy", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename, busyMs: 100 })
    const release = holdLock(filename)
    const startMs = performance.now()
    expect(reasonOf(await submit(() => adding("a")))).toBe("Busy")
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(95)
    release()
    expect(Either.isRight(await submit(() => adding("b")))).toBe(true)
    expect(namesIn(filename)).toEqual(["b"])
  })

  test("a direct write blocks for no longer than 50 ms, then it is Busy", async () => {
    const filename = aFile()
    const { direct } = await openPorts({ filename })
    const release = holdLock(filename)
    const tookMs: Array<number> = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const startMs = performance.now()
      expect(reasonOf(direct.write(() => adding("a")))).toBe("Busy")
      tookMs.push(performance.now() - startMs)
    }
    // The shortest: what a busy machine adds is not ours, and a longer bound would show in each.
    expect(Math.min(...tookMs)).toBeLessThan(50)
    release()
    expect(Either.isRight(direct.write(() => adding("b")))).toBe(true)
  })

  test("reads go on, and see what was there before", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    store.direct.categories.create({ name: "Fish" })
    const release = holdLock(filename)
    expect(store.direct.categories.get(1).name).toBe("Fish")
    expect(store.direct.categories.list().items).toHaveLength(1)
    release()
  })
})

describe("when there is no room", () => {
  const PAGES = 200
  const text = "x".repeat(1_000)
  const filling = (): Program<number> => adding(text)

  test("writes are Full, nothing is half stored, and reads go on", async () => {
    const filename = aFile()
    const { direct } = await openPorts({ filename, maxPages: PAGES })
    let stored = 0
    while (Either.isRight(direct.write(filling))) stored++
    expect(reasonOf(direct.write(filling))).toBe("Full")
    expect(stored).toBeGreaterThan(10)
    expect(namesIn(filename)).toHaveLength(stored)
    expect(Either.getOrThrow(direct.read(() => get(categories, stored)))?.name).toBe(text)
  })

  test("of a group those that fit are stored, the others are Full, and each is told the truth", async () => {
    const filename = aFile()
    const { submit } = await openPorts({ filename, maxPages: PAGES })
    const answers = await Promise.all(Array.from({ length: 200 }, () => submit(filling)))
    const stored = answers.filter(Either.isRight).length
    expect(stored).toBeGreaterThan(10)
    expect(stored).toBeLessThan(200)
    expect(answers.filter(Either.isLeft).map(reasonOf)).toEqual(
      Array.from({ length: 200 - stored }, () => "Full")
    )
    expect(namesIn(filename)).toHaveLength(stored)
  })

  test("writes succeed again as soon as there is room", async () => {
    const filename = aFile()
    const { direct, submit } = await openPorts({ filename, maxPages: PAGES })
    while (Either.isRight(direct.write(filling)));
    const removed = direct.write(function* () {
      for (let id = 1; id <= 10; id++) yield { op: "remove", collection: categories, id }
    })
    expect(Either.isRight(removed)).toBe(true)
    expect(Either.isRight(await submit(filling))).toBe(true)
  })
})

describe("when SQLite rolls back a whole transaction by itself", () => {
  const openWriter = async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = openSqlite(filename)
    onTestFinished(() => file.close())
    const tables = new Tables(file, COLLECTIONS)
    const nowMs = () => performance.now()
    const options = {
      durability: "full",
      busyMs: 1_000,
      directBusyMs: 40,
      nowMs,
      checkLogSize: () => undefined,
      identity: {
        nameCheck: { check: () => undefined, salvageLog: () => undefined },
        session: { begin: () => undefined, mark: () => undefined }
      }
    } as const
    const writer = new Writer(file, tables, new ReentrancyGuard(), new ReadSnapshot(file), options)
    const submit = <A>(program: () => Program<A>) =>
      new Promise<Outcome<A, never>>((resolve) => void writer.submit(program, resolve))
    /** What SQLite does when it can neither write nor undo a single statement. */
    function* outOfRoom(): Program<never> {
      yield* adding("lost")
      file.exec("ROLLBACK")
      throw new SqliteError("database or disk is full", primaryCode("FULL"))
    }
    return { filename, submit, outOfRoom }
  }

  const endOf = (outcome: Outcome<unknown, never>): unknown =>
    outcome._tag === "Died"
      ? outcome.defect
      : Either.isRight(outcome.result)
        ? "stored"
        : reasonOf(outcome.result)

  test("the others of the group are stored all the same", async () => {
    const { filename, submit, outOfRoom } = await openWriter()
    const programs = [() => adding("a"), outOfRoom, () => adding("b"), outOfRoom, () => adding("c")]
    const outcomes = await Promise.all(programs.map((program) => submit<number>(program)))
    expect(outcomes.map(endOf)).toEqual(["stored", "Full", "stored", "Full", "stored"])
    expect(namesIn(filename)).toEqual(["a", "b", "c"])
  })

  test("one that was alone is Full, and the next is stored", async () => {
    const { filename, submit, outOfRoom } = await openWriter()
    expect(endOf(await submit<never>(outOfRoom))).toBe("Full")
    expect(endOf(await submit(() => adding("a")))).toBe("stored")
    expect(namesIn(filename)).toEqual(["a"])
  })
})

describe("programs that can't be", () => {
  test("a program that starts another one on its storage is a defect", async () => {
    const { direct } = await openPorts({ filename: aFile() })
    expect(() =>
      direct.write(function* () {
        direct.read(() => get(categories, 1))
        yield* adding("a")
      })
    ).toThrow("can't start another one")
    expect(direct.read(() => get(categories, 1))).toEqual(Either.right(undefined))
  })

  test("a row with a value its column can't have is a defect, not a failure of the storage", async () => {
    const { direct } = await openPorts({ filename: aFile() })
    const row = { id: 0, revision: 1, foldedName: "x", description: null }
    expect(() =>
      direct.write(function* () {
        yield { op: "insert", collection: categories, row: { ...row, name: null } }
      })
    ).toThrow("NOT NULL")
  })
})
