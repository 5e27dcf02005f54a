/** An answer that is not the operation's is never taken for success. */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { petStoreClient, UnexpectedAnswer } from "../../src/client/index.js"
import { isRecordOf } from "../../src/client/shapes.js"

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const status = fc.constantFrom("available", "pending", "sold")
const quantity = fc.integer({ min: 0, max: 2_147_483_647 })

/** The records of each group (SPEC.md §2), and which of their members are always there. */
const RECORDS = {
  pets: {
    required: ["id", "name", "categoryId", "status"],
    members: { id, name: fc.string(), categoryId: id, status }
  },
  categories: {
    required: ["id", "name"],
    members: { id, name: fc.string(), description: fc.string() }
  },
  orders: {
    required: ["id", "complete"],
    members: {
      id,
      petId: id,
      quantity,
      shipDate: fc.constant("2026-12-24T08:00:00Z"),
      complete: fc.boolean()
    }
  },
  inventory: { required: ["petId", "quantity", "status"], members: { petId: id, quantity, status } }
}

const recordOf = (group: keyof typeof RECORDS): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = RECORDS[group].members
  return fc.record(members, { requiredKeys: RECORDS[group].required })
}

describe.each(["pets", "categories", "orders", "inventory"] as const)("a record of %s", (group) => {
  const { required } = RECORDS[group]

  it("is one with whatever members it need not have, and with those that a later version may add", () => {
    fc.assert(
      fc.property(recordOf(group), (record) => {
        expect(isRecordOf(group)(record)).toBe(true)
        expect(isRecordOf(group)({ ...record, colour: "red" })).toBe(true)
      })
    )
  })

  it("is none without one of its members, and with one of another type", () => {
    const anyOf = fc.constantFrom(...required)
    fc.assert(
      fc.property(
        recordOf(group),
        anyOf,
        fc.constantFrom(null, [], {}, 1.5),
        (record, name, wrong) => {
          const { [name]: _, ...rest } = record
          expect(isRecordOf(group)(rest)).toBe(false)
          expect(isRecordOf(group)({ ...record, [name]: wrong })).toBe(false)
        }
      )
    )
  })
})

describe("a client that is answered with something else than its operation's", () => {
  const PET = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'

  const clientOf = (status: number, text: string) =>
    petStoreClient({
      transport: async () => ({ status, header: () => null, text }),
      key: "k",
      sleep: async () => undefined
    })

  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      (value) => ({ resolvedWith: value }),
      (failure: unknown) => failure
    )

  it.each([
    [200, "[]"],
    [201, "[]"],
    [201, "{}"],
    [201, ""],
    [201, "null"],
    [201, '"Rex"'],
    [201, '{"id":1,"name":"Rex"}'],
    [201, '{"code":"internal","message":"","status":500}'],
    [200, PET],
    [202, PET],
    [204, ""],
    [226, PET]
  ])("does not take %i with %j for the pet that it has asked to create", async (status, text) => {
    const failure = await failureOf(
      clientOf(status, text).pets.create({ name: "Rex", categoryId: 1 })
    )
    expect(failure).toBeInstanceOf(UnexpectedAnswer)
    expect(failure).toMatchObject({ status })
  })

  it.each([
    [200, "{}"],
    [200, PET],
    [200, "[1]"],
    [200, '[{"id":1}]'],
    [203, "[]"],
    [206, "[]"],
    [204, ""],
    [201, "[]"]
  ])("does not take %i with %j for the list that it has asked for", async (status, text) => {
    expect(await failureOf(clientOf(status, text).pets.list())).toBeInstanceOf(UnexpectedAnswer)
    const [first] = [clientOf(status, text).pets.all()[Symbol.asyncIterator]()]
    expect(await failureOf(first.next())).toBeInstanceOf(UnexpectedAnswer)
  })

  it.each([
    [200, ""],
    [200, PET],
    [202, ""]
  ])("does not take %i with %j for a deletion", async (status, text) => {
    expect(await failureOf(clientOf(status, text).pets.remove(1))).toBeInstanceOf(UnexpectedAnswer)
  })

  it("leaves out a total that is no number, and does not fail at a cursor that is not well encoded", async () => {
    const fields: Readonly<Record<string, string>> = {
      "x-total-count": "many",
      link: '</pets?cursor=%>; rel="next"'
    }
    const transport = async () => ({
      status: 200,
      header: (name: string) => fields[name] ?? null,
      text: "[]"
    })
    expect(await petStoreClient({ transport, key: "k" }).pets.list()).toEqual({
      items: [],
      next: "%"
    })
  })

  it("takes both answers of an inventory that is set: changed and made", async () => {
    const text = '{"petId":1,"quantity":3,"status":"available"}'
    expect(await clientOf(200, text).inventory.set(1, { quantity: 3 })).toEqual(JSON.parse(text))
    expect(await clientOf(201, text).inventory.set(1, { quantity: 3 })).toEqual(JSON.parse(text))
  })
})
