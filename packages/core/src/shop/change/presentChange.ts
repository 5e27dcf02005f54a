/** Presents a stored change to readers of the feed. */
import type { CategoryRow } from "../category/rows.js"
import type { InventoryRow } from "../inventory/rows.js"
import type { OrderRow } from "../order/rows.js"
import type { PetRow } from "../pet/rows.js"
import type { ChangeRow } from "./rows.js"
import { formatInstant } from "../../value/Instant.js"
import { presentCategory } from "../category/operations.js"
import { presentItem } from "../inventory/operations.js"
import { presentOrder } from "../order/operations.js"
import { presentPet } from "../pet/operations.js"
import type { Change } from "./Change.js"

type Present = (row: PetRow & CategoryRow & OrderRow & InventoryRow) => object

const PRESENTERS: Readonly<Record<ChangeRow["kind"], Present>> = {
  pet: presentPet,
  category: presentCategory,
  order: presentOrder,
  inventory: presentItem
}

/**
 * The casts hold because changes are appended with rows of their kind. The result is frozen, as
 * readers share it.
 */
export const presentChange = (row: ChangeRow): Change => {
  const { id: sequence, type, atMs, recordId, before, after, accountId, requestId } = row
  const present = (image: NonNullable<typeof after>) =>
    Object.freeze(PRESENTERS[row.kind](image as Parameters<Present>[0]))
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
