/** Translates the arguments of a method into a request. */
import type { IfRevision } from "@petstore/core"
import type { Route } from "../contract/routes.js"
import type { ClientCall } from "./Transport.js"

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null

/**
 * The arguments are the id where the path has one, then the body or the query, then the condition.
 */
export const callOf = ({ method, path }: Route, input: ReadonlyArray<unknown>): ClientCall => {
  const rest = [...input]
  const id = path.includes("{id}") ? rest.shift() : undefined
  const target = path.replace("{id}", encodeURIComponent(String(id)))
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH"
  const body = hasBody ? JSON.stringify(rest.shift()) : undefined
  const query = method === "GET" && id === undefined ? rest.shift() : undefined
  return {
    method,
    target: isObject(query) ? `${target}${queryText(query)}` : target,
    headers: {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...conditionField(id, rest[0])
    },
    body
  }
}

/** The query of a list as text. */
const queryText = (query: Members): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`)
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

/** The header field of a condition (`{ ifRevision }`), for a record of this id. */
const conditionField = (id: unknown, condition: unknown): Readonly<Record<string, string>> => {
  if (!isObject(condition)) return {}
  const { ifRevision }: IfRevision = condition
  if (ifRevision === undefined) return {}
  if (ifRevision === "none") return { "if-none-match": "*" }
  if (ifRevision === "any") return { "if-match": "*" }
  const revisions = typeof ifRevision === "number" ? [ifRevision] : ifRevision
  // An empty list matches nothing: a tag that no record has.
  const tags =
    revisions.length === 0 ? ["0-0"] : revisions.map((revision) => `${String(id)}-${revision}`)
  return { "if-match": tags.map((tag) => `"${tag}"`).join(", ") }
}
