import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { decoder } from "../../src/value/Decoder.js"
import { NewOrder, OrderPatch } from "../../src/shop/order/Order.js"
import { NewPet } from "../../src/shop/pet/Pet.js"

const why = (decoded: ReturnType<ReturnType<typeof decoder>>) =>
  Either.isLeft(decoded) ? decoded.left.message : "accepted"

describe("a refusal", () => {
  const pet = decoder(NewPet)

  it("names the field, what was expected, and what was given", () => {
    expect(why(pet({ name: 5, categoryId: 1 }))).toBe(
      "name: expected 1 to 200 characters, not blank, no U+0000 and no lone surrogate, got 5"
    )
    expect(why(pet({ name: "Rex", categoryId: "1" }))).toBe(
      'categoryId: expected a whole number from 1, got "1"'
    )
    expect(why(pet({ name: "Rex", categoryId: 1, status: "gone" }))).toBe(
      'status: expected one of available, pending, sold, got "gone"'
    )
    expect(why(pet({ name: "Rex" }))).toBe(
      "categoryId: expected a whole number from 1, got nothing"
    )
    expect(why(decoder(NewOrder)({ complete: "yes" }))).toBe(
      'complete: expected true or false, got "yes"'
    )
  })

  it("names a member that is not a field", () =>
    expect(why(pet({ name: "Rex", categoryId: 1, stauts: "sold" }))).toBe(
      "stauts: expected one of the fields name, categoryId, status, got an unknown field"
    ))

  it("distinguishes null from absent", () =>
    expect(why(pet({ name: "Rex", categoryId: 1, status: null }))).toBe(
      "status: expected one of available, pending, sold, got null"
    ))

  it("says where null would do", () =>
    expect(why(decoder(OrderPatch)({ petId: "1", quantity: 0 }))).toBe(
      `petId: expected a whole number from 1, or null, got "1"; quantity: expected a whole number from 1 to ${2 ** 31 - 1}, or null, got 0`
    ))

  it("names everything that is wrong", () =>
    expect(why(pet({ name: "", categoryId: 0 }))).toMatch(/^name: .*; categoryId: /))

  it("repeats only a short piece of what was given", () => {
    expect(why(pet({ name: "x".repeat(5_000), categoryId: 1 })).length).toBeLessThan(200)
    expect(why(pet({ name: "Rex", categoryId: 1, ["y".repeat(5_000)]: 1 })).length).toBeLessThan(
      200
    )
  })

  it.each([null, [], "text", 5, true, undefined])(
    "is what %j gets, since it is no object",
    (input) => expect(why(pet(input))).toMatch(/^expected an object, got /)
  )
})
