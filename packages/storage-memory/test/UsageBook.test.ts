import type { UsageRecord } from "@petstore/core/storage"
import { expect, test } from "vitest"
import { UsageBook } from "../src/UsageBook.js"

const record = (minuteUsed: number): UsageRecord => ({
  minuteStartMs: 0,
  minuteUsed,
  dayStartMs: 0,
  dayUsed: minuteUsed,
  retryAtMs: 0,
  refusedAtMs: 0,
  strikesMs: [],
  bannedUntilMs: 0,
  bans: 0,
  lastBanMs: 0
})

const use = (book: UsageBook, caller: string, minuteUsed: number) =>
  book.modify(caller, () => [undefined, record(minuteUsed)])
const used = (book: UsageBook, caller: string) =>
  book.modify(caller, (current) => [current?.minuteUsed, current])

test("a fork has every record, and each of the two changes apart, whichever changes first", () => {
  const book = new UsageBook()
  use(book, "ann", 1)
  const fork = book.fork()
  use(book, "ann", 2)
  use(fork, "bob", 3)
  expect([used(book, "ann"), used(book, "bob")]).toEqual([2, undefined])
  expect([used(fork, "ann"), used(fork, "bob")]).toEqual([1, 3])
})

test("a fork of a fork, and a record that is taken away in one of them, leave the others as they are", () => {
  const book = new UsageBook()
  use(book, "ann", 1)
  const fork = book.fork()
  const second = fork.fork()
  fork.modify("ann", () => [undefined, undefined])
  expect([used(book, "ann"), used(fork, "ann"), used(second, "ann")]).toEqual([1, undefined, 1])
})

test("a book that has adopted another has its records and none of its own, and can adopt the same again", () => {
  const kept = new UsageBook()
  use(kept, "ann", 1)
  const book = new UsageBook()
  use(book, "bob", 5)
  for (let round = 0; round < 2; round++) {
    book.adopt(kept)
    expect([used(book, "ann"), used(book, "bob")]).toEqual([1, undefined])
    use(book, "ann", 9)
    use(book, "bob", 9)
    expect([used(kept, "ann"), used(kept, "bob")]).toEqual([1, undefined])
  }
})
