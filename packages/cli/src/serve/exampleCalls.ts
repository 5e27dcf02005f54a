/** curl commands for the first things to try. */

const call = (what: string, command: string): ReadonlyArray<string> => [`# ${what}`, command, ""]

/**
 * - `empty`: the shop has no records, and the calls work in their order.
 * - `demo`: the new demo shop.
 * - `kept`: the shop of an earlier start, which the calls only read.
 */
export type Contents = "empty" | "demo" | "kept"

export const exampleCalls = (
  url: string,
  key: string,
  contents: Contents
): ReadonlyArray<string> => {
  const curl = (path: string, rest = "") => `curl${rest} -H 'X-API-Key: ${key}' '${url}${path}'`
  const post = (path: string, body: string) =>
    `${curl(path)} -H 'Content-Type: application/json' -d '${body}'`
  const category = call("Add a category", post("/categories", '{"name":"Dogs"}'))
  const pet = call("Add a pet", post("/pets", '{"name":"Fido","categoryId":1}'))
  const forSale = call("List the pets that are for sale", curl("/pets?status=available&limit=5"))
  const order = (petId: number) => call("Order one", post("/store/orders", `{"petId":${petId}}`))
  const limits = call(
    "See what is left of your limits, in the headers",
    curl("/store/orders?complete=false&limit=1", " -i")
  )
  return {
    empty: [...category, ...pet, ...forSale, ...order(1), ...limits],
    demo: [...pet, ...forSale, ...order(2), ...limits],
    kept: [...forSale, ...limits]
  }[contents]
}
