/**
 * Loads a list into a service, several requests at once, and picks up where an earlier run stopped.
 *
 * What is guaranteed: a row whose outcome is recorded is never sent again. A row that may have been sent without one (a crash,
 * a broken connection, a 5xx) is looked for before it is sent again: ids only grow, so its pet, if there is one, is among
 * those newer than what was the newest when the row was meant. So every row is loaded once, as long as nobody else adds
 * pets of the same name and category meanwhile or renames or deletes those just added. Each row also carries an
 * Idempotency-Key, by which a service that honours it makes this exact without any condition.
 */
import type { PetStatus } from "@petstore/core"
import * as Either from "effect/Either"
import { type CheckedRow, checkRow, type Refusal } from "./checkRow.js"
import { ImportStopped } from "./Patience.js"
import { type Loaded, type RefusedLine, refusedLine } from "./Past.js"
import type { Progress } from "./Progress.js"
import type { FoundCategory, Service } from "./Service.js"
import type { ListRow } from "./ShelterList.js"
import type { StatusMap } from "./StatusMap.js"
import { Unclaimed } from "./Unclaimed.js"

/** Rows that are meant at once: how many may be doubtful after a crash, and how rarely the disk is waited for. */
const BLOCK_ROWS = 256

export type Undergone = {
  /** Lines loaded by this run, and by earlier ones. */
  readonly loaded: number
  readonly loadedBefore: number
  readonly refused: ReadonlyArray<RefusedLine>
  /** What there is of the list in the service, by category and status, earlier runs included. */
  readonly categories: ReadonlyMap<string, CategoryCount>
  /** Why the list was not gone through to its end. */
  readonly stopped: string | undefined
}

export type CategoryCount = { found: FoundCategory | undefined; readonly statuses: Record<PetStatus, number> }

/** Told as it goes. */
export type Watcher = { readonly settled: (refused: boolean) => void }

type Task = {
  readonly rows: AsyncIterator<ListRow>
  readonly statuses: StatusMap
  readonly service: Service
  readonly progress: Progress
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly watcher: Watcher
}

export const importList = async (task: Task): Promise<Undergone> => {
  const { rows, statuses, service, progress, concurrency, signal, watcher } = task
  const { past } = progress
  const blocks = [...past.blocks]
  const meant = blocks.at(-1)?.upTo ?? 0
  const refused = [...past.refused]
  const categories = new Map<string, CategoryCount>()
  const again: Array<CheckedRow> = [] // rows that are to be sent (once more)
  const doubtful: Array<CheckedRow> = []
  let doubt = ""
  let loaded = 0
  let loadedBefore = 0
  let newest = 0
  let stopped: string | undefined
  let defect: unknown

  const stop = (cause: unknown) => {
    if (!signal.aborted && !(cause instanceof ImportStopped)) defect ??= cause
    stopped ??= signal.aborted ? "interrupted" : cause instanceof Error ? cause.message : String(cause)
  }

  const countOf = (name: string): CategoryCount => {
    const known = categories.get(name)
    if (known !== undefined) return known
    const fresh: CategoryCount = { found: undefined, statuses: { available: 0, pending: 0, sold: 0 } }
    categories.set(name, fresh)
    return fresh
  }

  const settleLoaded = (row: CheckedRow, pet: { readonly id: number; readonly status: PetStatus }) => {
    const outcome: Loaded = { row: row.number, pet: pet.id, status: pet.status }
    progress.settle(outcome)
    newest = Math.max(newest, pet.id)
    loaded++
    countOf(row.category).statuses[pet.status]++
    watcher.settled(false)
  }

  const settleRefused = (row: Omit<ListRow, "surplus">, why: Refusal) => {
    const outcome = refusedLine(row, why)
    progress.settle(outcome)
    refused.push(outcome)
    watcher.settled(true)
  }

  const mean = (row: number) => {
    if (row <= (blocks.at(-1)?.upTo ?? 0)) return
    const block = { upTo: row + BLOCK_ROWS - 1, newest }
    progress.mean(block)
    blocks.push(block)
  }

  /** The next row that has no outcome and can be sent; undefined at the end of the list. */
  const nextRow = async (): Promise<CheckedRow | undefined> => {
    for (;;) {
      const row = again.shift()
      if (row !== undefined) return row
      const next = await rows.next()
      if (next.done === true) return undefined
      const before = past.outcomes.get(next.value.number)
      if (before === "refused") continue
      if (before !== undefined) {
        countOf(next.value.category).statuses[before]++
        loadedBefore++
        continue
      }
      mean(next.value.number)
      const checked = checkRow(next.value, statuses)
      if (Either.isLeft(checked)) settleRefused(next.value, checked.left)
      else if (checked.right.number <= meant) doubtful.push(checked.right)
      else return checked.right
    }
  }

  const load = async (row: CheckedRow) => {
    const category = await service.category(row.category)
    countOf(row.category).found = category
    const { name, status } = row
    const wanted = { name, categoryId: category.id, ...(status === undefined ? {} : { status }) }
    const added = await service.add({ status, ...wanted }, `import-${progress.run}-${row.number}`)
    if (added.kind === "loaded") settleLoaded(row, added.pet)
    else if (added.kind === "refused") settleRefused({ ...row, status: row.listedStatus }, added)
    else {
      doubt = added.why
      doubtful.push(row)
    }
  }

  const goesOn = () => stopped === undefined && doubt === "" && !signal.aborted

  const work = async () => {
    while (goesOn()) {
      try {
        const row = await nextRow()
        if (row === undefined) return
        await load(row)
      } catch (cause) {
        stop(cause)
      }
    }
  }

  /** Looks for the pets of doubtful rows; what is not there is sent again. Nothing is under way meanwhile. */
  const settleDoubts = async () => {
    const first = Math.min(...doubtful.map((row) => row.number))
    const floor = blocks.find((block) => block.upTo >= first)?.newest ?? 0
    const ours = progress.petsAbove(floor)
    const unclaimed = new Unclaimed()
    for await (const pet of service.petsAbove(floor)) {
      newest = Math.max(newest, pet.id)
      if (!ours.has(pet.id)) unclaimed.add(pet)
    }
    const rest = doubtful.splice(0).sort((left, right) => left.number - right.number)
    const claim = async (row: CheckedRow, exactly: boolean) => {
      const category = await service.category(row.category)
      countOf(row.category).found = category
      const status = exactly ? (row.status ?? "available") : undefined
      const pet = unclaimed.take(category.id, row.name, status)
      if (pet !== undefined) settleLoaded(row, pet)
      return pet !== undefined
    }
    // The status may have been changed since, by an order; but a pet whose status fits is the likelier one.
    const misfits: Array<CheckedRow> = []
    for (const row of rest) if (!(await claim(row, true))) misfits.push(row)
    for (const row of misfits) if (!(await claim(row, false))) again.push(row)
  }

  try {
    newest = await service.newestPet()
    if (past.lastPets.length > 0 && (await service.existing(past.lastPets)) === 0) {
      throw new ImportStopped(
        `the progress file says that pet ${past.lastPets.at(-1)} and others were loaded, but the service has none of them: it seems to be another store, or a new one. --restart loads every line`
      )
    }
    if (meant > 0) {
      const first = await nextRow() // which comes after all doubtful ones
      if (first !== undefined) again.push(first)
      if (doubtful.length > 0) await settleDoubts()
    }
    for (;;) {
      await Promise.all(Array.from({ length: concurrency }, work))
      if (stopped !== undefined || signal.aborted) {
        stopped ??= "interrupted"
        break
      }
      if (doubt !== "") service.patience.setback(doubt)
      doubt = ""
      if (doubtful.length === 0) break
      await settleDoubts()
    }
  } catch (cause) {
    stop(cause)
  }
  if (defect !== undefined) throw defect
  refused.sort((left, right) => left.line - right.line)
  return { loaded, loadedBefore, refused, categories, stopped }
}
