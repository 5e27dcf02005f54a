/** A change as it is told, from the row it is stored as. */
import type { CategoryRow } from "../category/rows.js"
import type { InventoryRow } from "../inventory/rows.js"
import type { OrderRow } from "../order/rows.js"
import type { PetRow } from "../pet/rows.js"
import type { ChangeRow } from "./rows.js"
import { formatInstant } from "../../value/Instant.js"
import { showCategory } from "../category/operations.js"
import { showItem } from "../inventory/operations.js"
import { showOrder } from "../order/operations.js"
import { showPet } from "../pet/operations.js"
import type { Change } from "./Change.js"

type Show = (row: PetRow & CategoryRow & OrderRow & InventoryRow) => object

const SHOWN: Readonly<Record<ChangeRow["kind"], Show>> = {
  pet: showPet,
  category: showCategory,
  order: showOrder,
  inventory: showItem
}

/** The casts say what whoever appended the row has seen to: that its images are rows of its kind. Frozen, as readers share it. */
export const showChange = (row: ChangeRow): Change => {
  const { id: sequence, type, atMs, recordId, before, after, accountId, requestId } = row
  const show = (image: NonNullable<typeof after>) =>
    Object.freeze(SHOWN[row.kind](image as Parameters<Show>[0]))
  return Object.freeze({
    sequence,
    type,
    at: formatInstant(atMs),
    recordId,
    ...(after === null ? {} : { revision: after.revision, record: show(after) }),
    ...(before === null ? {} : { before: show(before) }),
    ...(accountId === null ? {} : { accountId }),
    ...(requestId === null ? {} : { requestId })
  }) as Change
}
