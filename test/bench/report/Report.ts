/** All that one run has seen. What was not asked for is absent. */
import type { ColdStart } from "../http/coldStart.js"
import type { Cores } from "../http/cores.js"
import type { Figures, Rounds } from "../http/measure.js"
import type { Calls } from "../library/calls.js"
import type { Many } from "../library/many.js"

export type Machine = {
  readonly processor: string
  readonly processors: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
}

export type Report = {
  /** The day it was run, as 2026-01-31. */
  readonly date: string
  readonly machine: Machine
  readonly cores?: Cores
  /** How long a sync of a small write took, where the files of the run are. */
  readonly syncMs?: number
  readonly quick: boolean
  readonly rounds: Rounds
  readonly figures: ReadonlyArray<Figures>
  readonly calls?: Calls
  readonly memory?: Many
  readonly file?: Many
  readonly start?: ColdStart
}

/** The machine in a line. */
export const machineText = ({ processor, processors, memoryGb, system, node }: Machine): string =>
  `${processor}, ${processors} processors, ${memoryGb.toFixed(0)} GB, ${system}, Node ${node}`
