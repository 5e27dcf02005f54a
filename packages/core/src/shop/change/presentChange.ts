/** Presents a stored change to readers of the feed. */
import type { ChangeRow } from "./rows.js"
import { formatInstant } from "../../value/Instant.js"
import type { Change } from "./Change.js"
import { recordTypeOf } from "./changeType.js"

/**
 * The cast holds because changes are appended with rows of their kind. The result is frozen, as
 * readers share it.
 */
export const presentChange = (row: ChangeRow): Change => {
  const { id: sequence, type, atMs, recordId, before, after, accountId, requestId } = row
  const present = (image: NonNullable<typeof after>) =>
    Object.freeze(recordTypeOf(row.kind).present(image))
  return Object.freeze({
    sequence,
    type,
    at: formatInstant(atMs),
    recordId,
    ...(after === null ? {} : { revision: after.revision, record: present(after) }),
    ...(before === null ? {} : { before: present(before) }),
    ...(accountId === null ? {} : { accountId }),
    ...(requestId === null ? {} : { requestId })
  }) as Change
}
