/** Believable rows for checks to store, with what a check cares about replaced. */
import {
  type AccountRow,
  accounts,
  categories,
  type CategoryRow,
  type ChangeRow,
  type IdempotencyRow,
  insert,
  type InventoryRow,
  type KeyRow,
  type OrderRow,
  type PetRow,
  type Program,
  type Row
} from "@petstore/core/storage"

type Fields<R extends Row> = Omit<R, "id" | "revision">

export const category = (changes: Partial<Fields<CategoryRow>> = {}): Fields<CategoryRow> => ({
  name: "Dogs",
  foldedName: "dogs",
  description: null,
  ...changes
})

export const pet = (changes: Partial<Fields<PetRow>> = {}): Fields<PetRow> => ({
  name: "Rex",
  foldedName: "rex",
  categoryId: 1,
  status: "available",
  onOrder: 0,
  sold: 0,
  ...changes
})

export const stock = (
  id: number,
  changes: Partial<Fields<InventoryRow>> = {}
): Fields<InventoryRow> & { readonly id: number } => ({
  id,
  quantity: 1,
  status: "available",
  onOrder: 0,
  sold: 0,
  ...changes
})

export const order = (changes: Partial<Fields<OrderRow>> = {}): Fields<OrderRow> => ({
  petId: null,
  quantity: null,
  shipDateMs: null,
  complete: false,
  held: 0,
  ...changes
})

export const account = (changes: Partial<Fields<AccountRow>> = {}): Fields<AccountRow> => ({
  name: "The Shop",
  plan: "free",
  perMinute: null,
  perDay: null,
  createdMs: 1_767_225_600_000,
  ...changes
})

export const key = (changes: Partial<Fields<KeyRow>> = {}): Fields<KeyRow> => ({
  accountId: 1,
  name: "till",
  digest: "0f".repeat(32),
  start: "ps_AbCd",
  createdMs: 1_767_225_600_000,
  expiresMs: null,
  revokedMs: null,
  disabled: false,
  ...changes
})

export const answer = (changes: Partial<Fields<IdempotencyRow>> = {}): Fields<IdempotencyRow> => ({
  scope: "1e".repeat(32),
  fingerprint: "2d".repeat(32),
  answer: '{"kind":"nothing"}',
  expiresMs: 1_767_312_000_000,
  ...changes
})

export const change = (changes: Partial<Fields<ChangeRow>> = {}): Fields<ChangeRow> => ({
  atMs: 1_767_225_600_000,
  type: "pet.updated",
  kind: "pet",
  recordId: 1,
  accountId: null,
  requestId: null,
  before: null,
  after: null,
  ...changes
})

/**
 * What pets and keys refer to: three categories and three accounts. A storage may rely on their
 * being there.
 */
export function* foundation(): Program<void> {
  for (const number of [1, 2, 3]) {
    yield* insert(categories, category({ name: `Kind ${number}` }))
    yield* insert(accounts, account({ name: `Account ${number}` }))
  }
}
