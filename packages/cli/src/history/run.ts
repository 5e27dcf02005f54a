/** `petstore history`: prints the changes of a record. */
import { type Change, NotFound, type OpenPetStore, type RecordKind } from "@petstore/core"
import type * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { withStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { drawTable, exactTime, printable } from "../terminal/text.js"
import { type Difference, differencesIn } from "./differences.js"

type HistoryOptions = {
  readonly kind: RecordKind
  readonly id: number
  readonly db: string
  readonly json: boolean
}

type Entry = {
  readonly change: Change
  readonly differences: ReadonlyArray<Difference>
  /** Undefined if no account made the change, or the account is gone. */
  readonly accountName: string | undefined
}

const PAGE = 1_000

/** All changes that the store keeps, oldest first. */
const changesOf = async (
  store: OpenPetStore,
  kind: RecordKind,
  id: number
): Promise<ReadonlyArray<Change>> => {
  const pages: Array<ReadonlyArray<Change>> = []
  let before: number | undefined
  do {
    const page: ReadonlyArray<Change> = await store.changes.history(kind, id, {
      limit: PAGE,
      ...(before === undefined ? {} : { before })
    })
    pages.unshift(page)
    before = page.length < PAGE ? undefined : page[0]?.sequence
  } while (before !== undefined)
  return pages.flat()
}

const nameOf = async (store: OpenPetStore, accountId: number): Promise<string | undefined> => {
  try {
    return (await store.accounts.get(accountId)).name
  } catch (refusal) {
    if (refusal instanceof NotFound) return undefined
    throw refusal
  }
}

const entriesOf = async (
  store: OpenPetStore,
  changes: ReadonlyArray<Change>
): Promise<ReadonlyArray<Entry>> => {
  const names = new Map<number | undefined, string | undefined>()
  for (const { accountId } of changes)
    if (accountId !== undefined && !names.has(accountId))
      names.set(accountId, await nameOf(store, accountId))
  return changes.map((change) => ({
    change,
    differences: differencesIn(change),
    accountName: names.get(change.accountId)
  }))
}

export const showHistory = ({
  kind,
  id,
  db,
  json
}: HistoryOptions): Effect.Effect<void, CommandFailed> =>
  withStore(db, async (store) => {
    const entries = await entriesOf(store, await changesOf(store, kind, id))
    if (entries.length === 0)
      throw CommandFailed.because(
        `no change of ${kind} ${id} is stored: it never existed, or its changes are older ` +
          "than the retention",
        "nothing_known"
      )
    await answer(
      json,
      () => ({ kind, id, changes: entries.map(jsonOf) }),
      () => tableOf(entries)
    )
  })

const jsonOf = ({ change, differences, accountName }: Entry) => {
  const { sequence, at, type, revision, accountId, requestId } = change
  return {
    sequence,
    at,
    type,
    ...(revision === undefined ? {} : { revision }),
    changed: differences,
    ...(accountId === undefined ? {} : { account: { id: accountId, name: accountName } }),
    ...(requestId === undefined ? {} : { requestId })
  }
}

const tableOf = (entries: ReadonlyArray<Entry>): Promise<string> =>
  drawTable(
    ["when", "what", "changed", "by", "request"],
    entries.map(({ change, differences, accountName }) => [
      exactTime(change.at),
      change.type,
      differences.length === 0 ? "nothing that shows" : differences.map(textOf).join("\n"),
      change.accountId === undefined
        ? ""
        : `${change.accountId}${accountName === undefined ? "" : ` ${printable(accountName)}`}`,
      printable(change.requestId ?? "", 64)
    ])
  )

const textOf = ({ field, from, to }: Difference): string => {
  if (from === undefined) return `${field}: ${valueText(to)}`
  return to === undefined
    ? `${field}: ${valueText(from)} → none`
    : `${field}: ${valueText(from)} → ${valueText(to)}`
}

const valueText = (value: unknown): string => printable(String(value))
