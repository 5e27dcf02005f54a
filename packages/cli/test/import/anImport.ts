/** Runs an import of rows that are made up, into a service that is made up, in no time. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { importList, type ImportResult } from "../../src/import/importList.js"
import { RetryBudget } from "../../src/import/service/RetryBudget.js"
import { Progress } from "../../src/import/progress/Progress.js"
import type { ImportJob } from "../../src/import/progress/ImportJob.js"
import { Service } from "../../src/import/service/Service.js"
import type { ListRow } from "../../src/import/list/ShelterList.js"
import { OWN_NAMES } from "../../src/import/list/StatusMap.js"
import type { ClientCall } from "@petstore/http-adapter/client"
import { Crash, type Fault, type FakeService } from "./FakeService.js"
import { virtualTime } from "./virtualTime.js"

export type Made = readonly [name: string, category: string, status?: string]

export const rowsOf = (made: ReadonlyArray<Made>): ReadonlyArray<ListRow> =>
  made.map(([name, category, status], at) => ({
    number: at + 1,
    line: at + 2,
    name,
    category,
    status,
    surplus: 0
  }))

async function* each(rows: ReadonlyArray<ListRow>): AsyncGenerator<ListRow, void, undefined> {
  yield* rows
}

export const job = (rows: number): ImportJob => ({
  list: "list.csv",
  sha256: "0",
  rows,
  url: "http://localhost/",
  name: "Name",
  category: "Kind",
  status: "Outcome",
  statusMap: {}
})

export type Run = {
  readonly fault?: (call: ClientCall) => Fault
  readonly concurrency?: number
  readonly maxWaitMs?: number
  readonly signal?: AbortSignal
}

/**
 * A list with a progress file of its own; `run` runs the import once more, as a new process would.
 */
export const anImport = (service: FakeService, made: ReadonlyArray<Made>) => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-import-"))
  const file = join(folder, "progress.jsonl")
  const rows = rowsOf(made)
  const run = async (how: Run = {}): Promise<ImportResult> => {
    const { concurrency = 8, maxWaitMs = 300_000, signal = new AbortController().signal } = how
    const { transport, hasCrashed } = service.connect(how.fault)
    const time = virtualTime()
    const connection = {
      url: new URL("http://localhost/"),
      key: "ps_key",
      transport,
      nowMs: time.nowMs
    }
    const progress = Progress.open(file, job(rows.length), () => "run")
    try {
      const result = await importList({
        rows: each(rows),
        statuses: OWN_NAMES,
        service: new Service(connection, new RetryBudget(time, signal, maxWaitMs)),
        progress,
        concurrency,
        signal,
        watcher: { settled: () => undefined }
      })
      if (hasCrashed()) throw new Crash()
      return result
    } finally {
      progress.close()
    }
  }
  return { file, run, forget: () => rmSync(folder, { recursive: true }) }
}
