/** Renders the result of an operation: status, body, and the fields of a record or a page. */
import type { Operation } from "../compile/Operation.js"
import type { Outcome, Result } from "../compile/Handler.js"
import type { ReadQuery } from "../compile/QueryReader.js"
import { entityTag, matchingTag } from "../fields/EntityTag.js"
import type { Exchange } from "../exchange/Exchange.js"
import { refuse } from "../exchange/refuse.js"
import { respond } from "../exchange/respond.js"

export const render = (
  exchange: Exchange,
  operation: Operation,
  query: ReadQuery,
  outcome: Outcome
): void => {
  if (outcome.kind === "stored") {
    exchange.replayed = outcome.replayed
    return render(exchange, operation, query, outcome.result)
  }
  if (outcome.kind === "record") return renderRecord(exchange, operation, outcome)
  if (outcome.kind === "page") return renderPage(exchange, operation, query, outcome)
  if (outcome.kind === "refused") return refuse(exchange, outcome.refusal)
  respond(exchange, { status: 204, body: null })
}

type Record = Extract<Result, { readonly kind: "record" }>

const renderRecord = (
  exchange: Exchange,
  operation: Operation,
  { created, shown, id, revision }: Record
): void => {
  const tag = entityTag(id, revision)
  if (created) {
    const location =
      operation.parameter === undefined
        ? `${operation.path}/${id}`
        : operation.path.replace(/:\w+$/, String(id))
    return respond(exchange, {
      status: 201,
      body: operation.encoder.one(shown),
      headers: ["Location", location, "ETag", tag]
    })
  }
  const field = operation.method === "GET" ? exchange.incoming.header("if-none-match") : undefined
  const match = field === undefined ? undefined : matchingTag(field, tag)
  if (match !== undefined)
    return respond(exchange, { status: 304, body: null, headers: ["ETag", match] })
  respond(exchange, { status: 200, body: operation.encoder.one(shown), headers: ["ETag", tag] })
}

type Page = Extract<Result, { readonly kind: "page" }>

const link = (path: string, query: string, rel: string): string =>
  `<${path}${query === "" ? "" : `?${query}`}>; rel="${rel}"`

const renderPage = (
  exchange: Exchange,
  { path, encoder }: Operation,
  { ofFirstPage }: ReadQuery,
  { items, next, total }: Page
): void => {
  const first = link(path, ofFirstPage, "first")
  const prefix = ofFirstPage === "" ? "" : `${ofFirstPage}&`
  const toNext = `${prefix}cursor=${encodeURIComponent(next ?? "")}`
  const links = next === undefined ? first : `${first}, ${link(path, toNext, "next")}`
  respond(exchange, {
    status: 200,
    body: encoder.list(items),
    links,
    ...(total === undefined ? {} : { headers: ["X-Total-Count", String(total)] })
  })
}
