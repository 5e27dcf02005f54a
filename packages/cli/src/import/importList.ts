/**
 * Loads a list into a service with several requests at once, and continues where an earlier run
 * stopped.
 *
 * A row whose outcome is recorded is never sent again. A row that may have been sent without one (a
 * crash, a broken connection, a 5xx) is in doubt: the import looks for its pet before it sends the
 * row again. Ids only grow, so the pet, if it exists, is newer than the newest pet at the time the
 * row was announced. So every row is loaded once, as long as nobody else adds pets of the same name
 * and category meanwhile, or renames or deletes those just added. Each row also has an
 * `Idempotency-Key`, with which a service that honours it makes this exact without conditions.
 */
import * as Either from "effect/Either"
import { type CheckedRow, checkRow } from "./list/checkRow.js"
import type { RefusedLine } from "./progress/Checkpoint.js"
import { ImportStopped } from "./service/ImportStopped.js"
import { type CategoryCount, Ledger, type Watcher } from "./Ledger.js"
import type { Progress } from "./progress/Progress.js"
import type { Service } from "./service/Service.js"
import type { ListRow } from "./list/ShelterList.js"
import type { StatusMap } from "./list/StatusMap.js"
import { UnmatchedPets } from "./UnmatchedPets.js"

export type ImportResult = {
  /** Lines loaded by this run, and by earlier ones. */
  readonly loaded: number
  readonly loadedBefore: number
  readonly refused: ReadonlyArray<RefusedLine>
  /** The pets of the list in the service, by category and status, earlier runs included. */
  readonly categories: ReadonlyMap<string, CategoryCount>
  /** Why the import ended before the end of the list. */
  readonly stopped: string | undefined
}

type Task = {
  readonly rows: AsyncIterator<ListRow>
  readonly statuses: StatusMap
  readonly service: Service
  readonly progress: Progress
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly watcher: Watcher
}

export const importList = async (task: Task): Promise<ImportResult> => {
  const { rows, statuses, service, progress, concurrency, signal, watcher } = task
  const { outcomes, lastPets } = progress.checkpoint
  const ledger = new Ledger(progress, watcher)
  const announcedBefore = ledger.announced
  const queue: Array<CheckedRow> = [] // rows to send before the rest of the list
  const inDoubt: Array<CheckedRow> = []
  let doubt = ""
  let stopped: string | undefined
  let defect: unknown

  const stop = (cause: unknown) => {
    if (!signal.aborted && !(cause instanceof ImportStopped)) defect ??= cause
    stopped ??= signal.aborted
      ? "interrupted"
      : cause instanceof Error
        ? cause.message
        : String(cause)
  }

  /** The next row without an outcome that can be sent; undefined at the end of the list. */
  const nextRow = async (): Promise<CheckedRow | undefined> => {
    for (;;) {
      const queued = queue.shift()
      if (queued !== undefined) return queued
      const { done, value: row } = await rows.next()
      if (done === true) return undefined
      const outcome = outcomes.get(row.number)
      if (outcome === "refused") continue
      if (outcome !== undefined) {
        ledger.addLoadedBefore(row.category, outcome)
        continue
      }
      ledger.announce(row.number)
      const checked = checkRow(row, statuses)
      if (Either.isLeft(checked)) ledger.addRefused(row, checked.left)
      else if (checked.right.number <= announcedBefore) inDoubt.push(checked.right)
      else return checked.right
    }
  }

  const categoryIdOf = async (row: CheckedRow): Promise<number> => {
    const category = await service.category(row.category)
    ledger.setCategory(row.category, category)
    return category.id
  }

  const load = async (row: CheckedRow) => {
    const categoryId = await categoryIdOf(row)
    const { name, status } = row
    const pet = { name, categoryId, ...(status === undefined ? {} : { status }) }
    const result = await service.add(pet, `import-${progress.run}-${row.number}`)
    if (result.kind === "loaded") ledger.addLoaded(row, result.pet)
    else if (result.kind === "refused")
      ledger.addRefused({ ...row, status: row.listedStatus }, result)
    else {
      doubt = result.why
      inDoubt.push(row)
    }
  }

  const continues = () => stopped === undefined && doubt === "" && !signal.aborted

  const work = async () => {
    while (continues()) {
      try {
        const row = await nextRow()
        if (row === undefined) return
        await load(row)
      } catch (cause) {
        stop(cause)
      }
    }
  }

  /**
   * Looks for the pets of the rows in doubt and queues the rows without one. No request is running
   * meanwhile.
   */
  const resolveDoubts = async () => {
    const doubtful = inDoubt.splice(0).sort((left, right) => left.number - right.number)
    const floor = ledger.petFloor(doubtful[0]?.number ?? 0)
    const recorded = progress.petsAbove(floor)
    const unmatched = new UnmatchedPets()
    for await (const pet of service.petsAbove(floor)) {
      ledger.newestPet = Math.max(ledger.newestPet, pet.id)
      if (!recorded.has(pet.id)) unmatched.add(pet)
    }
    const match = async (row: CheckedRow, withStatus: boolean) => {
      const status = withStatus ? (row.status ?? "available") : undefined
      const pet = unmatched.take(await categoryIdOf(row), row.name, status)
      if (pet !== undefined) ledger.addLoaded(row, pet)
      return pet !== undefined
    }
    // An order may have changed the status, but a pet with the row's status is the likelier one.
    const others: Array<CheckedRow> = []
    for (const row of doubtful) if (!(await match(row, true))) others.push(row)
    for (const row of others) if (!(await match(row, false))) queue.push(row)
  }

  try {
    ledger.newestPet = await service.newestPet()
    if (lastPets.length > 0 && (await service.existing(lastPets)) === 0) {
      throw new ImportStopped(
        `the progress file says that pet ${lastPets.at(-1)} and others were loaded, but the ` +
          "service has none of them: it seems to be another store, or a new one. --restart " +
          "loads every line"
      )
    }
    if (announcedBefore > 0) {
      const first = await nextRow() // it comes after all rows in doubt
      if (first !== undefined) queue.push(first)
      if (inDoubt.length > 0) await resolveDoubts()
    }
    for (;;) {
      await Promise.all(Array.from({ length: concurrency }, work))
      if (stopped !== undefined || signal.aborted) {
        stopped ??= "interrupted"
        break
      }
      if (doubt !== "") service.retryBudget.failed(doubt)
      doubt = ""
      if (inDoubt.length === 0) break
      await resolveDoubts()
    }
  } catch (cause) {
    stop(cause)
  }
  if (defect !== undefined) throw defect
  const { loaded, loadedBefore, refused, categories } = ledger
  refused.sort((left, right) => left.line - right.line)
  return { loaded, loadedBefore, refused, categories, stopped }
}
