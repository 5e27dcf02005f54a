import { beforeAll, describe, expect, it } from "vitest"
import { type Body, errorOf, JSON_BODY, openShop, type ShopServer } from "../ShopServer.js"

const MAX_BYTES = 1_048_576

let shop: ShopServer
/** Everything that is stored, as far as callers can see it. */
let before: string

const everything = async () => {
  const lists = ["/pets", "/categories", "/store/orders", "/store/inventory"]
  return (await Promise.all(lists.map(async (list) => (await shop.send(list)).text()))).join("\n")
}

beforeAll(async () => {
  shop = await openShop()
  await shop.sendJson("/store/inventory/1", { quantity: 5 }, { method: "PUT" })
  await shop.sendJson("/pets", { name: "Gone", categoryId: 1 })
  await shop.send("/pets/2", { method: "DELETE" })
  before = await everything()
})

const post = (target: string, body: Body, headers: Record<string, string> = JSON_BODY) =>
  shop.send(target, { method: "POST", headers, body })

/** Checks the answer, and that nothing has changed. */
const refuses = async (response: Promise<Response>, expected: RegExp | string) => {
  expect(await errorOf(await response)).toMatch(expected)
  expect(await everything()).toBe(before)
}

describe("bad bodies are refused and change nothing", () => {
  const pet = '{"name":"Rex","categoryId":1}'

  it.each<[string, Body, string]>([
    [
      "malformed JSON",
      "{bad",
      "400 invalid_json: the body is not valid JSON: expected a member name"
    ],
    [
      "an empty body",
      "",
      "400 invalid_json: the body is not valid JSON: expected a JSON object, got nothing"
    ],
    [
      "a BOM",
      `\ufeff${pet}`,
      "400 invalid_json: the body is not valid JSON: expected a JSON value at position 0"
    ],
    ["invalid UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "400 invalid_json: .*expected UTF-8"],
    ["cut UTF-8", new Uint8Array([0x22, 0xe2, 0x82]), "400 invalid_json: .*expected UTF-8"],
    [
      "duplicate members",
      '{"name":"a","name":"b","categoryId":1}',
      '400 invalid_json: .*got "name" twice'
    ],
    ["64 levels", `${"[".repeat(64)}${"]".repeat(64)}`, "400 invalid_json: .*32 levels of nesting"],
    ["100,000 levels", '{"a":'.repeat(100_000), "400 invalid_json: .*32 levels of nesting"],
    ["no object", "[]", "422 validation_failed: expected an object, got an array"],
    [
      "an unknown field",
      '{"name":"a","categoryId":1,"stauts":"sold"}',
      "422 validation_failed: stauts: expected one of"
    ],
    [
      "__proto__",
      '{"name":"a","categoryId":1,"__proto__":{"x":1}}',
      "422 validation_failed: __proto__: expected one of"
    ],
    [
      "null for absent",
      '{"name":"a","categoryId":1,"status":null}',
      "422 validation_failed: status: expected one of"
    ],
    [
      "a wrong type",
      '{"name":5,"categoryId":1}',
      "422 validation_failed: name: expected 1 to 200 characters.*, got 5"
    ],
    [
      "a missing field",
      '{"name":"a"}',
      "422 validation_failed: categoryId: expected a whole number from 1, got nothing"
    ],
    [
      "an id of one's own",
      '{"id":99,"name":"a","categoryId":1}',
      "422 validation_failed: id: expected one of"
    ],
    ["a blank name", '{"name":" ","categoryId":1}', "422 validation_failed: name: "],
    [
      "a name of 201 code points",
      JSON.stringify({ name: "😀".repeat(201), categoryId: 1 }),
      "422 validation_failed: name: "
    ],
    ["a lone surrogate", '{"name":"\\ud800","categoryId":1}', "422 validation_failed: name: "],
    [
      "1e3 for an id",
      '{"name":"a","categoryId":1e0}',
      "422 validation_failed: categoryId: .*plain digits"
    ],
    [
      "1.0 for an id",
      '{"name":"a","categoryId":1.0}',
      "422 validation_failed: categoryId: .*plain digits"
    ],
    ["0x10 for an id", '{"name":"a","categoryId":0x1}', "400 invalid_json"],
    ["text for an id", '{"name":"a","categoryId":"1"}', "422 validation_failed: categoryId"],
    ["an id beyond 2^53", '{"name":"a","categoryId":9007199254740993}', "422 unknown_category"],
    ["the largest int64", '{"name":"a","categoryId":9223372036854775807}', "422 unknown_category"],
    [
      "an id beyond int64",
      '{"name":"a","categoryId":9223372036854775808}',
      "422 validation_failed: categoryId"
    ],
    [
      "an unknown category",
      '{"name":"a","categoryId":77}',
      "422 unknown_category: categoryId: there is no category 77"
    ]
  ])("%s, for a pet", async (_, body, expected) => {
    await refuses(post("/pets", body), new RegExp(`^${expected}`))
  })

  it.each([
    ["quantity 0", { petId: 1, quantity: 0 }, "422 validation_failed: quantity"],
    ["quantity -1", { petId: 1, quantity: -1 }, "422 validation_failed: quantity"],
    ["quantity 2^31", { petId: 1, quantity: 2 ** 31 }, "422 validation_failed: quantity"],
    ["a deleted pet", { petId: 2 }, "422 unknown_pet: petId: there is no pet 2"],
    ["more than there is", { petId: 1, quantity: 6 }, "409 insufficient_stock"],
    ["February 30", { shipDate: "2023-02-30T00:00:00Z" }, "422 validation_failed: shipDate"],
    ["24:00", { shipDate: "2024-01-01T24:00:00Z" }, "422 validation_failed: shipDate"],
    ["no offset", { shipDate: "2024-01-01T00:00:00" }, "422 validation_failed: shipDate"],
    ["a bare date", { shipDate: "2024-01-01" }, "422 validation_failed: shipDate"],
    ["a number for a date", { shipDate: 1 }, "422 validation_failed: shipDate"],
    ["null for a pet", { petId: null }, "422 validation_failed: petId"]
  ])("%s, for an order", async (_, body, expected) => {
    await refuses(shop.sendJson("/store/orders", body), new RegExp(`^${expected}`))
  })

  it("null is refused in a PUT, and in a PATCH where a field can't be removed", async () => {
    const nulled = { name: null, categoryId: 1 }
    await refuses(
      shop.sendJson("/pets/1", nulled, { method: "PUT" }),
      /^422 validation_failed: name/
    )
    await refuses(
      shop.sendJson("/pets/1", nulled, { method: "PATCH" }),
      /^422 validation_failed: name/
    )
  })

  it("another record's id in a PUT or PATCH is refused", async () => {
    const other = { id: 2, name: "Max", categoryId: 1 }
    await refuses(
      shop.sendJson("/pets/1", other, { method: "PUT" }),
      /^422 validation_failed: id: expected 1, as in the path/
    )
    await refuses(
      shop.sendJson("/pets/1", other, { method: "PATCH" }),
      /^422 validation_failed: id/
    )
  })

  it("a category that has pets stays", async () => {
    await refuses(shop.send("/categories/1", { method: "DELETE" }), /^409 category_in_use/)
  })

  it.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["no type", { "content-type": "" }],
    ["UTF-16", { "content-type": "application/json; charset=utf-16" }],
    ["a merge patch that is no PATCH", { "content-type": "application/merge-patch+json" }],
    ["a malformed type", { "content-type": "application/json charset=utf8" }],
    ["gzip", { ...JSON_BODY, "content-encoding": "gzip" }]
  ])("a body declared as %s", async (_, headers) => {
    await refuses(
      post("/pets", pet, headers),
      /^415 unsupported_media_type: Content-(Type|Encoding): expected/
    )
  })

  it("a body without any type", async () => {
    await refuses(
      post("/pets", new TextEncoder().encode(pet), {}),
      /^415 unsupported_media_type: Content-Type: expected .*, got nothing/
    )
  })

  it("a body over the limit, by its declared length and as counted", async () => {
    const huge = new TextEncoder().encode(
      JSON.stringify({ name: "a".repeat(MAX_BYTES), categoryId: 1 })
    )
    await refuses(
      post("/pets", huge, { ...JSON_BODY, "content-length": String(huge.byteLength) }),
      /^413 body_too_large/
    )
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      }
    })
    await refuses(
      post("/pets", endless),
      /^413 body_too_large: the body is too large: expected at most 1048576 bytes/
    )
    expect(sent).toBeLessThan(2 * MAX_BYTES)
  })
})

describe("bad parameters are refused by name", () => {
  it.each([
    "0x10",
    "1e3",
    "+1",
    "01",
    "-1",
    "0",
    "%201",
    "1%20",
    "abc",
    "Infinity",
    "1.0",
    "%",
    "%E0%A4%A",
    "9223372036854775808"
  ])("/pets/%s is no id", async (id) => {
    const errors = [
      await shop.send(`/pets/${id}`),
      await shop.send(`/pets/${id}`, { method: "DELETE" })
    ]
    for (const error of errors)
      expect(await errorOf(error)).toMatch(/^400 invalid_parameter: petId: expected a whole number/)
  })

  it("an int64 that no record can have is not found, and never another record", async () => {
    for (const id of ["9007199254740993", "9223372036854775807"]) {
      await refuses(shop.send(`/pets/${id}`), `404 not_found: there is no record with petId ${id}`)
    }
  })

  it.each([
    ["limit=-1", "invalid_parameter: limit: expected"],
    ["limit=0", "invalid_parameter: limit: expected a whole number from 1 to 100"],
    ["limit=101", "invalid_parameter: limit: expected a whole number from 1 to 100"],
    ["limit=1.5", "invalid_parameter: limit"],
    ["limit=1e9", "invalid_parameter: limit"],
    ["limit=0x10", "invalid_parameter: limit"],
    ["limit=abc", "invalid_parameter: limit"],
    ["limit=", "invalid_parameter: limit"],
    ["limit", "invalid_parameter: limit"],
    ["limit=5&limit=5", "invalid_parameter: limit: expected one value, got several"],
    ["total=yes", "invalid_parameter: total: expected true or false"],
    ["sort=age", "invalid_parameter: sort"],
    ["status=", "invalid_parameter: status"],
    ["status=lost", "invalid_parameter: status: expected one of available, pending, sold"],
    ["status=available,sold", "invalid_parameter: status"],
    ["id=0", "invalid_parameter: id"],
    ["id=1&id=x", "invalid_parameter: id"],
    ["categoryId=9223372036854775808", "invalid_parameter: categoryId"],
    ["cursor=x", "invalid_parameter: cursor"],
    [
      "stauts=sold",
      'unknown_parameter: "stauts" is not a parameter here: expected only the parameters id, status'
    ],
    ["Status=sold", "unknown_parameter"],
    ["__proto__=1", "unknown_parameter"],
    ["%", "invalid_parameter: query: expected well-formed percent-encoding"],
    ["name=%", "invalid_parameter: name: expected well-formed percent-encoding"],
    ["name=%E0%A4%A", "invalid_parameter: name: expected well-formed percent-encoding"]
  ])("/pets?%s", async (query, expected) => {
    await refuses(shop.send(`/pets?${query}`), new RegExp(`^400 ${expected}`))
  })

  it("a cursor from another query, or altered, is refused", async () => {
    await shop.sendJson("/categories", { name: "cats" })
    await shop.sendJson("/categories", { name: "fish" })
    const link = (await shop.send("/categories?limit=1")).headers.get("link") ?? ""
    const cursor = /cursor=([^>&]+)>; rel="next"/.exec(link)?.[1] ?? ""
    expect((await shop.send(`/categories?limit=2&cursor=${cursor}`)).status).toBe(200)
    expect(await errorOf(await shop.send(`/categories?sort=-id&cursor=${cursor}`))).toMatch(
      /^400 invalid_parameter: cursor/
    )
    expect(await errorOf(await shop.send(`/categories?cursor=${cursor}!`))).toMatch(
      /^400 invalid_parameter: cursor/
    )
    before = await everything()
  })

  it("any parameter is unknown to an operation without parameters", async () => {
    await refuses(
      shop.send("/pets/1?fields=name"),
      /^400 unknown_parameter: "fields" .*expected no parameters/
    )
    await refuses(
      shop.sendJson("/pets?dry=1", { name: "a", categoryId: 1 }),
      /^400 unknown_parameter/
    )
  })

  it("a key in a place it does not belong is not repeated", async () => {
    for (const target of [`/pets/${shop.key}`, `/pets?${shop.key}=1`, `/pets?status=${shop.key}`]) {
      const error = await errorOf(await shop.send(target))
      expect(error).toContain("ps_…")
      expect(error).not.toContain(shop.key.slice(0, 12))
    }
  })
})

describe("bad requests", () => {
  it.each(["//", "/", "/pets/", "//pets", "/Pets", "/pets/1/2", "/nothing"])(
    "%s leads nowhere",
    async (path) => {
      await refuses(shop.send(path), /^404 route_not_found/)
    }
  )

  it("a method that a path does not have is refused with those it has", async () => {
    const response = await shop.send("/store/orders", { method: "DELETE" })
    expect(response.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS")
    expect(await errorOf(response)).toMatch(/^405 method_not_allowed/)
  })

  it("another major version is refused, this one is taken", async () => {
    for (const version of ["2", "0", "1.", "v1", "1.2.3.4", "", "1, 2"]) {
      const response = await shop.send("/pets/1", { headers: { "x-api-version": version } })
      expect(await errorOf(response), version).toMatch(
        /^400 unsupported_version: X-API-Version: expected 1 or 1.x.y/
      )
    }
    for (const version of ["1", "1.0.0", "1.9.2"]) {
      expect((await shop.send("/pets/1", { headers: { "x-api-version": version } })).status).toBe(
        200
      )
    }
  })

  it("no key, two keys, a doubled key, a key in a query or cookie are refused", async () => {
    const bare = (headers: Record<string, string>, target = "/pets") =>
      shop.sendBare(target, { headers }).then(errorOf)
    expect(await bare({})).toMatch(/^401 missing_key/)
    expect(await bare({ "x-api-key": "" })).toMatch(/^401 invalid_key/)
    expect(await bare({ "x-api-key": `${shop.key}, evil` })).toMatch(/^401 invalid_key/)
    expect(await bare({ authorization: `Basic ${shop.key}` })).toMatch(/^401 invalid_key/)
    expect(await bare({ "x-api-key": shop.key, authorization: "Bearer other" })).toMatch(
      /^400 invalid_parameter/
    )
    expect(await bare({ cookie: `x-api-key=${shop.key}` })).toMatch(/^401 missing_key/)
    expect(await bare({}, `/pets?api_key=${shop.key}`)).toMatch(/^401 missing_key/)
  })
})
