/** Descriptions and examples of the records. A test checks the examples against the schemas. */
import { EXAMPLES } from "./errorTexts.js"

export type RecordText = {
  readonly description: string
  readonly example?: unknown
  readonly fields?: Readonly<Record<string, string>>
}

const PET = { name: "The animal's name.", categoryId: "The category the animal belongs to." }

const CATEGORY = {
  name: "The category's name, for example a kind of animal.",
  description: "A short description of the category."
}

const ORDER = {
  petId: "The animal in the order.",
  quantity: "The units ordered: 1 unless given, as soon as a pet is named.",
  shipDate: "The expected or actual ship date. Given with any offset, returned in UTC.",
  complete: "Whether the order has been fulfilled, which makes it a sale."
}

const STOCK = "How many are for sale."

const ID = "Assigned on creation, never reused."

const EVENT = {
  sequence: 42,
  type: "pet.created",
  at: "2026-12-24T08:00:00.000Z",
  recordId: 1,
  revision: 1,
  record: { id: 1, name: "Rex", categoryId: 1, status: "available" }
}

/** The start of a stream. */
export const STREAM_EXAMPLE = `retry: 2000\nid: 3f9x-41\n\nid: 3f9x-42\nevent: pet.created\ndata: ${JSON.stringify(EVENT)}\n\n`

export const RECORD_TEXTS: Readonly<Record<string, RecordText>> = {
  PetStatus: {
    description: "Whether an animal is for sale, held by open orders, or sold.",
    example: "available"
  },
  NewPet: {
    description: "What creating or replacing a pet takes.",
    example: { name: "Rex", categoryId: 1, status: "available" },
    fields: PET
  },
  PetPatch: { description: "The fields of a pet to change.", example: { name: "Max" }, fields: PET },
  Pet: {
    description: "An animal.",
    example: { id: 1, name: "Rex", categoryId: 1, status: "available" },
    fields: { id: ID, ...PET }
  },
  Pets: {
    description: "Animals.",
    example: [{ id: 1, name: "Rex", categoryId: 1, status: "available" }]
  },
  NewCategory: {
    description: "What creating or replacing a category takes.",
    example: { name: "Dogs", description: "From dachshund to wolfhound." },
    fields: CATEGORY
  },
  CategoryPatch: {
    description: "The fields of a category to change; null removes the description.",
    example: { description: null },
    fields: CATEGORY
  },
  Category: {
    description: "A kind of animals.",
    example: { id: 1, name: "Dogs", description: "From dachshund to wolfhound." },
    fields: { id: ID, ...CATEGORY }
  },
  NewOrder: {
    description: "What placing or replacing an order takes. Nothing is needed.",
    example: { petId: 1, quantity: 1, shipDate: "2026-12-24T09:00:00+01:00" },
    fields: ORDER
  },
  OrderPatch: {
    description: "The fields of an order to change; null removes a field.",
    example: { complete: true },
    fields: ORDER
  },
  Order: {
    description: "An order.",
    example: { id: 1, petId: 1, quantity: 1, shipDate: "2026-12-24T08:00:00Z", complete: false },
    fields: { id: ID, ...ORDER }
  },
  InventoryUpdate: { description: "A new count.", example: { quantity: 12 }, fields: { quantity: STOCK } },
  InventoryItem: {
    description: "The stock of one pet.",
    example: { petId: 1, quantity: 12, status: "available" },
    fields: { petId: "The animal this entry is about.", quantity: STOCK }
  },
  Event: {
    description:
      "What has changed: one record, once. `resync` says instead that changes up to its sequence can't be told any more.",
    example: EVENT,
    fields: {
      sequence: "Counts changes without a gap, from 1.",
      type: "What happened; decides what `record` is.",
      at: "When it happened. Not with `resync`.",
      recordId: "The record's id; of an inventory entry, the pet's. Not with `resync`.",
      revision: "The record's revision, as in its tag. Not where it was deleted.",
      record: "The record after the change. Not where it was deleted."
    }
  },
  Error: {
    description: "What every error looks like.",
    example: { code: "not_found", message: EXAMPLES.not_found.message, status: 404 },
    fields: {
      code: "What went wrong, for programs; each response lists its codes.",
      message: "What went wrong, for people. Not to be taken apart by programs.",
      status: "The HTTP status."
    }
  },
  Problem: {
    description: "The same as RFC 9457 has it, for those who accept it.",
    example: {
      type: "about:blank",
      title: "Not Found",
      detail: EXAMPLES.not_found.message,
      code: "not_found",
      message: EXAMPLES.not_found.message,
      status: 404
    },
    fields: {
      type: "Always `about:blank`: `code` says what kind of problem it is.",
      title: "The status, in words.",
      detail: "The message again.",
      code: "As in Error.",
      message: "As in Error.",
      status: "As in Error."
    }
  }
}
