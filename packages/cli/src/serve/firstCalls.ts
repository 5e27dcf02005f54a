/** Ready curl lines for the first things to try. */

const call = (what: string, command: string): ReadonlyArray<string> => [`# ${what}`, command, ""]

/** Lines to print; `stocked` says that there are animals already. */
export const firstCalls = (url: string, key: string, stocked: boolean): ReadonlyArray<string> => {
  const curl = (path: string, rest = "") => `curl${rest} -H 'X-API-Key: ${key}' '${url}${path}'`
  const post = (path: string, body: string) =>
    `${curl(path)} -H 'Content-Type: application/json' -d '${body}'`
  return [
    ...(stocked ? [] : call("Add a category", post("/categories", '{"name":"Dogs"}'))),
    ...call("Add a pet", post("/pets", '{"name":"Fido","categoryId":1}')),
    ...call("List the pets that are for sale", curl("/pets?status=available&limit=5")),
    ...call("Order one", post("/store/orders", `{"petId":${stocked ? 2 : 1}}`)),
    ...call(
      "See what is left of your limits, in the headers",
      curl("/store/orders?complete=false&limit=1", " -i")
    )
  ]
}
