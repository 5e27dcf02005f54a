/** A status for people: what needs attention comes first. Lines fit a terminal. */
import process from "node:process"
import { StorageError } from "@petstore/core"
import { RECORD_TYPES } from "@petstore/core/adapter"
import type { StoreContents, StoreCounts, StoreStatus } from "@petstore/storage-sqlite"
import { formatBytes, formatCount, shortTime, printable } from "../terminal/text.js"
import { wrap } from "../terminal/wrap.js"
import type { Attention } from "./Attention.js"

const WIDEST = 80
const NARROWEST = 40

/** How many items people see. Programs get all. */
const MOST_SHOWN = 20

const columns = (): number =>
  Math.max(NARROWEST, Math.min(process.stdout.columns || WIDEST, WIDEST))

/** Wraps a text after `head`, which indents the other lines. */
const indented = (head: string, text: string): ReadonlyArray<string> =>
  wrap(text, columns() - head.length).map(
    (line, at) => (at === 0 ? head : " ".repeat(head.length)) + line
  )

/** A command has its own line and is not wrapped, so that it can be copied. */
const item = ({ what, command }: Attention<string>): ReadonlyArray<string> =>
  command === undefined
    ? indented("- ", `${what}.`)
    : [...indented("- ", `${what}:`), `    ${command}`]

const attentionSection = (attention: ReadonlyArray<Attention<string>>): ReadonlyArray<string> => {
  if (attention.length === 0) return ["Nothing needs attention."]
  const more = attention.length - MOST_SHOWN
  return [
    "NEEDS ATTENTION",
    ...attention.slice(0, MOST_SHOWN).flatMap(item),
    ...(more > 0 ? [`… and ${formatCount(more)} more; --json has all of them`] : [])
  ]
}

const timesOf = ({ about, schema }: StoreContents, currentSchema: number): string => {
  const times = [
    ["made", about.createdMs],
    ["upgraded", about.upgradedMs],
    ["restored", about.restoredMs]
  ] as const
  const backup =
    about.lastBackupMs === undefined
      ? schema < currentSchema
        ? "backups are not known"
        : "no backup"
      : `last backup ${shortTime(about.lastBackupMs)}`
  return [
    ...times.flatMap(([what, timeMs]) =>
      timeMs === undefined ? [] : [`${what} ${shortTime(timeMs)}`]
    ),
    `${backup} (UTC)`
  ].join(", ")
}

const pagesOf = ({ damage, isChecked }: StoreContents): string =>
  damage !== undefined
    ? "pages: damaged"
    : isChecked
      ? "pages: whole (petstore verify checks more)"
      : "pages: too many to check here (petstore verify does)"

const fileSection = (
  status: StoreStatus,
  contents: StoreContents | undefined
): ReadonlyArray<string> => {
  const { path, fileBytes, logBytes, diskFreeBytes, currentSchema, driver } = status
  const disk = diskFreeBytes === undefined ? "" : `, ${formatBytes(diskFreeBytes)} free on the disk`
  const lines = [
    `${formatBytes(fileBytes)}, log ${formatBytes(logBytes)}${disk}`,
    ...(contents === undefined
      ? [`driver ${driver}`]
      : [
          `schema ${contents.schema}, SQLite ${contents.sqliteVersion}, driver ${driver}`,
          timesOf(contents, currentSchema),
          pagesOf(contents)
        ])
  ]
  return [
    "FILE",
    ...indented("  ", printable(path, 1_000)),
    ...lines.flatMap((line) => indented("  ", line))
  ]
}

type Words = readonly [one: string, many: string]

/** What one is called and what many are, by the names of the counts. */
const WORDS: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(
    RECORD_TYPES.map(({ kind, collection }): readonly [string, Words] => [
      collection.name,
      [kind, collection.name]
    ])
  ),
  inventory: ["entry of stock", "entries of stock"],
  changes: ["change kept", "changes kept"],
  accounts: ["account", "accounts"],
  keys: ["key", "keys"],
  webhooks: ["webhook", "webhooks"]
}

const countsSection = (counts: StoreCounts): ReadonlyArray<string> => [
  "RECORDS",
  ...indented(
    "  ",
    Object.entries(counts)
      .map(([name, count]) => {
        const [one, many] = WORDS[name] ?? [name, name]
        return `${formatCount(count)} ${count === 1 ? one : many}`
      })
      .join(", ")
  )
]

const processesSection = ({ processes }: StoreStatus): ReadonlyArray<string> => [
  "OPEN IN",
  ...(processes === undefined
    ? ["  This system does not tell which processes have a file open."]
    : processes.length === 0
      ? ["  No other process that this user can see."]
      : processes.map(
          ({ pid, command }) =>
            `  ${pid}  ${printable(command, columns() - 4 - String(pid).length)}`
        ))
]

export const statusText = (
  status: StoreStatus,
  attention: ReadonlyArray<Attention<string>>
): string => {
  const contents = status.contents instanceof StorageError ? undefined : status.contents
  return [
    attentionSection(attention),
    fileSection(status, contents),
    ...(contents?.counts === undefined ? [] : [countsSection(contents.counts)]),
    processesSection(status)
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}
