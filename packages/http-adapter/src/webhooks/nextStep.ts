/**
 * Decides what an endpoint is sent next: replays first, then a resync, then changes of the feed.
 */
import type { Change, Resync } from "@petstore/core"
import {
  type AttemptReport,
  changeMessage,
  type Engine,
  replaysOf,
  resyncMessage,
  type WebhookMessage
} from "@petstore/core/adapter"
import type { WebhookRow } from "@petstore/core/storage"
import { valueOf } from "./valueOf.js"

export type NextStep =
  | {
      readonly kind: "message"
      readonly turn: AttemptReport["turn"]
      readonly message: WebhookMessage
    }
  /** The change to replay is no longer in the feed. */
  | { readonly kind: "lost"; readonly sequence: number }
  | { readonly kind: "resync"; readonly sequence: number }
  /** Nothing to send now. The endpoint did not subscribe to the changes up to `skippedTo`. */
  | { readonly kind: "none"; readonly skippedTo: number }

/** Changes that were read from the feed and not sent yet. */
export type ReadAhead = { changes: ReadonlyArray<Change> }

const PAGE_SIZE = 64

/** How far the feed has nothing for an endpoint with this cursor and these types. */
type Scan = Pick<WebhookRow, "epoch" | "cursor" | "types"> & { readonly to: number }

type NextSteps = {
  /** Whether there may be something for the endpoint. `last` is the newest change. */
  readonly hasWork: (row: WebhookRow, epoch: string, last: number) => boolean
  readonly nextOf: (row: WebhookRow, epoch: string, ahead: ReadAhead) => Promise<NextStep>
  /** Remembers that the feed has nothing for the endpoint up to this change. */
  readonly skip: (row: WebhookRow, to: number) => void
}

export const makeNextSteps = ({ feed, nowMs }: Pick<Engine, "feed" | "nowMs">): NextSteps => {
  const scans = new Map<number, Scan>()
  let generation = feed.generation()

  const scannedTo = ({ id, epoch, cursor, types }: WebhookRow): number => {
    const scan = scans.get(id)
    return scan?.epoch === epoch && scan.cursor === cursor && scan.types === types
      ? scan.to
      : cursor
  }

  const replayOf = async (sequence: number, epoch: string): Promise<NextStep> => {
    const page = await valueOf(feed.page(sequence - 1, 1))
    const change = "type" in page ? undefined : page[0]
    return change?.sequence === sequence
      ? { kind: "message", turn: "replay", message: changeMessage(epoch, change) }
      : { kind: "lost", sequence }
  }

  const pageAfter = async (
    after: number,
    ahead: ReadAhead
  ): Promise<ReadonlyArray<Change> | Resync> => {
    const at = ahead.changes.findIndex(({ sequence }) => sequence === after + 1)
    if (at >= 0) return ahead.changes.slice(at)
    const page = await valueOf(feed.page(after, PAGE_SIZE))
    ahead.changes = "type" in page ? [] : page
    return page
  }

  const changeAfter = async (
    row: WebhookRow,
    epoch: string,
    ahead: ReadAhead
  ): Promise<NextStep> => {
    const types = row.types === "" ? undefined : row.types.split(" ")
    for (let after = scannedTo(row); ;) {
      const page = await pageAfter(after, ahead)
      if ("type" in page) return { kind: "resync", sequence: page.sequence }
      const change = page.find(({ type }) => types === undefined || types.includes(type))
      if (change !== undefined)
        return { kind: "message", turn: "next", message: changeMessage(epoch, change) }
      if (page.length === 0) return { kind: "none", skippedTo: after }
      after = page.at(-1)?.sequence ?? after
    }
  }

  return {
    hasWork: (row, epoch, last) => {
      if (feed.generation() !== generation) {
        // A restore replaced the records that were scanned.
        generation = feed.generation()
        scans.clear()
      }
      if (row.replays !== "" || row.resyncTo !== null) return true
      return (row.epoch !== "" && row.epoch !== epoch) || row.cursor > last || scannedTo(row) < last
    },
    nextOf: async (row, epoch, ahead) => {
      const [replay] = replaysOf(row)
      if (replay !== undefined) return replayOf(replay, epoch)
      if (row.nextMs !== null && row.nextMs > nowMs())
        return { kind: "none", skippedTo: row.cursor }
      if (row.resyncTo !== null) {
        const message = resyncMessage(row.epoch, row.resyncTo, row.resyncMs ?? 0)
        return { kind: "message", turn: "next", message }
      }
      if (row.epoch !== "" && row.epoch !== epoch)
        return { kind: "resync", sequence: await valueOf(feed.last()) }
      return changeAfter(row, epoch, ahead)
    },
    skip: ({ id, epoch, cursor, types }, to) => {
      scans.set(id, { epoch, cursor, types, to })
    }
  }
}
