/** Gives a memory's feed of changes its name. Whoever goes back, or goes on apart, goes on under another one: places of before mean nothing then. */
import { feedEpochs, get, insert, type Program, replace } from "@petstore/core"
import type { Memory } from "../Memory.js"

export const nameFeed = (memory: Memory, epoch: string): void => {
  memory.records.write(function* (): Program<void> {
    const known = yield* get(feedEpochs, 1)
    if (known === undefined) yield* insert(feedEpochs, { id: 1, epoch })
    else yield* replace(feedEpochs, known, { epoch })
  })
}
