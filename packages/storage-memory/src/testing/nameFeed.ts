/** Gives a memory's feed of changes a name that no other has in this process, and the same one each time a program runs. */
import { feedEpochs, get, insert, type Program, replace } from "@petstore/core"
import type { Memory } from "../Memory.js"

let named = 0

/** A store that begins as another one's state, or goes back to its own, goes on apart: places in the feed of before mean nothing then. */
export const nameFeed = (memory: Memory): void => {
  const epoch = `test${++named}`
  memory.records.write(function* (): Program<void> {
    const known = yield* get(feedEpochs, 1)
    if (known === undefined) yield* insert(feedEpochs, { id: 1, epoch })
    else yield* replace(feedEpochs, known, { epoch })
  })
}
