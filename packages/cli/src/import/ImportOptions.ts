/** What `petstore import` is given on the command line. */
import type { ListFormat } from "./list/ShelterList.js"

export type ImportOptions = ListFormat & {
  readonly list: string
  readonly statusMap: ReadonlyArray<string>
  readonly url: URL
  readonly key: string | undefined
  readonly progress: string | undefined
  readonly report: string | undefined
  readonly restart: boolean
  readonly dryRun: boolean
  readonly concurrency: number
  readonly maxWaitSeconds: number
  readonly json: boolean
}
