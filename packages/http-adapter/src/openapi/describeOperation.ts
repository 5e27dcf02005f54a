/** One operation in OpenAPI's words: parameters, body, responses, links, and what marks it as young or on its way out. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { Event, EVENT_STREAM_TYPE } from "../contract/events.js"
import type { Declared } from "./declared.js"
import type { LinkObject, OperationObject, ResponseObject } from "./Document.js"
import type { RequestHeader } from "./headers.js"
import { headerParameters, pathParameters, queryParameters } from "./parameters.js"
import {
  failures,
  noticeHeaders,
  PAGED,
  PLACED,
  REPLAYABLE,
  STREAMED,
  stream,
  success,
  TAGGED,
  transportFailures
} from "./responses.js"
import type { Schemas } from "./schemas.js"

/** The words oasdiff knows. */
const LEVELS = { beta: "beta", experimental: "alpha" } as const

const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

const isList = ({ successes }: Declared): boolean =>
  [...successes.values()].some(({ ast }) => Option.isSome(ast) && SchemaAST.isTupleType(ast.value))

const isStream = (successes: Declared["successes"]): boolean =>
  [...successes.values()].some(
    ({ ast }) => Option.isSome(ast) && HttpApiSchema.getEncoding(ast.value).contentType === EVENT_STREAM_TYPE
  )

const readsOne = ({ method, pathAst }: Declared): boolean => method === "GET" && pathAst !== undefined

/** Where to go with the id of a new record: every operation whose path has a parameter of that record. */
const linksOf = (made: Declared, all: ReadonlyArray<Declared>): Readonly<Record<string, LinkObject>> => {
  const { path } = made
  const own = /:(\w+)$/.exec(path)?.[1]
  const parameter =
    own ??
    all
      .map((each) => each.path)
      .find((each) => each.startsWith(`${path}/:`))
      ?.split(":")[1]
  if (parameter === undefined) return {}
  return Object.fromEntries(
    all
      .filter((each) => each.path.endsWith(`/:${parameter}`) && each !== made)
      .map(({ name, summary }) => [
        name,
        {
          operationId: name,
          description: `${summary}, of the record just made.`,
          parameters: { [parameter]: own === undefined ? "$response.body#/id" : `$response.body#/${own}` }
        }
      ])
  )
}

const successesOf = (operation: Declared, all: ReadonlyArray<Declared>, { told }: Schemas) => {
  const notices = [
    ...noticeHeaders(operation.lifecycle !== undefined, operation.stability !== "stable"),
    ...(operation.method === "GET" ? [] : REPLAYABLE)
  ]
  const responses: Record<string, ResponseObject> = {}
  for (const [status, { ast }] of operation.successes) {
    const schema = Option.getOrUndefined(Option.map(ast, told))
    if (isStream(operation.successes)) responses[status] = stream([...STREAMED, ...notices], told(Event.ast))
    else if (schema === undefined) responses[status] = success("Done.", notices)
    else if (status === 201) {
      responses[status] = success("Created.", [...PLACED, ...notices], schema, linksOf(operation, all))
    } else if (isList(operation)) responses[status] = success("A page.", [...PAGED, ...notices], schema)
    else responses[status] = success("The record.", [...TAGGED, ...notices], schema)
  }
  if (readsOne(operation)) {
    responses["304"] = success("The record still has the tag in `If-None-Match`.", [...TAGGED, ...notices])
  }
  return { responses, notices }
}

export const requestHeaders = ({
  method,
  pathAst,
  stability,
  successes
}: Declared): ReadonlyArray<RequestHeader> => [
  ...(pathAst === undefined || method === "GET" ? [] : (["IfMatch"] as const)),
  ...(method === "GET" ? [] : (["IdempotencyKey"] as const)),
  ...(isStream(successes) ? (["LastEventId"] as const) : []),
  ...(stability === "experimental" ? (["StabilityOptIn"] as const) : []),
  "ApiVersion"
]

const bodyOf = ({ method, bodyAst }: Declared, { asked }: Schemas): Pick<OperationObject, "requestBody"> => {
  if (bodyAst === undefined) return {}
  const schema = asked(bodyAst)
  const content = {
    "application/json": { schema },
    ...(method === "PATCH" ? { "application/merge-patch+json": { schema } } : {})
  }
  return { requestBody: { required: true, content } }
}

const marksOf = ({ stability, lifecycle }: Declared) => ({
  ...(lifecycle === undefined
    ? {}
    : { deprecated: true as const, "x-sunset": new Date(lifecycle.sunsetMs).toISOString().slice(0, 10) }),
  ...(stability === "stable" ? {} : { "x-stability": stability, "x-stability-level": LEVELS[stability] })
})

/** `all` are those that links may lead to. */
export const describeOperation = (operation: Declared, all: ReadonlyArray<Declared>, schemas: Schemas) => {
  const { tag, summary, description, stability } = operation
  const { responses, notices } = successesOf(operation, all, schemas)
  const parameters: OperationObject["parameters"] = [
    ...pathParameters(operation.pathAst, schemas),
    ...queryParameters(operation.queryAst, schemas),
    ...headerParameters(requestHeaders(operation))
  ]
  return {
    path: templateOf(operation.path),
    method: operation.method.toLowerCase(),
    responses: { ...responses, ...failures([...new Set(operation.codes)], notices), ...transportFailures() },
    rest: {
      operationId: operation.name,
      summary: stability === "stable" ? summary : `${summary} (${stability})`,
      description,
      tags: [tag],
      security: [{ ApiKey: [] }],
      ...marksOf(operation),
      parameters,
      ...bodyOf(operation, schemas)
    }
  }
}
