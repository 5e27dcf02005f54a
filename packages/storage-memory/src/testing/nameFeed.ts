/**
 * Names a memory's feed of changes. A store that is restored or forked gets another name, so that
 * cursors into the former feed are refused.
 */
import { feedEpochs, get, insert, type Program, replace } from "@petstore/core/storage"
import type { Memory } from "../Memory.js"

export const nameFeed = (memory: Memory, epoch: string): void => {
  memory.records.write(function* (): Program<void> {
    const current = yield* get(feedEpochs, 1)
    if (current === undefined) yield* insert(feedEpochs, { id: 1, epoch })
    else yield* replace(feedEpochs, current, { epoch })
  })
}
