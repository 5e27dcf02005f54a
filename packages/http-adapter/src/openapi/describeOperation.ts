/** Describes one operation: parameters, body, responses, links, stability and deprecation. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { Event, EVENT_STREAM_TYPE } from "../contract/events.js"
import type { Declaration } from "./declared.js"
import type { LinkObject, OperationObject, ResponseObject } from "./Document.js"
import type { RequestHeader } from "./headers.js"
import { headerParameters, pathParameters, queryParameters } from "./parameters.js"
import {
  failures,
  noticeHeaders,
  PAGE_HEADERS,
  CREATION_HEADERS,
  REPLAY_HEADERS,
  STREAM_HEADERS,
  stream,
  success,
  RECORD_HEADERS,
  transportFailures
} from "./responses.js"
import type { Schemas } from "./schemas.js"

/** The levels of oasdiff. */
const LEVELS = { beta: "beta", experimental: "alpha" } as const

const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

const isList = ({ successes }: Declaration): boolean =>
  [...successes.values()].some(({ ast }) => Option.isSome(ast) && SchemaAST.isTupleType(ast.value))

const isStream = (successes: Declaration["successes"]): boolean =>
  [...successes.values()].some(
    ({ ast }) =>
      Option.isSome(ast) && HttpApiSchema.getEncoding(ast.value).contentType === EVENT_STREAM_TYPE
  )

const readsOne = ({ method, pathAst }: Declaration): boolean =>
  method === "GET" && pathAst !== undefined

/** Links a new record to every operation whose path has a parameter for its id. */
const linksOf = (
  creation: Declaration,
  all: ReadonlyArray<Declaration>
): Readonly<Record<string, LinkObject>> => {
  const { path } = creation
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
      .filter((each) => each.path.endsWith(`/:${parameter}`) && each !== creation)
      .map(({ name, summary }) => [
        name,
        {
          operationId: name,
          description: `${summary}, of the record just made.`,
          parameters: {
            [parameter]: own === undefined ? "$response.body#/id" : `$response.body#/${own}`
          }
        }
      ])
  )
}

const successesOf = (
  operation: Declaration,
  all: ReadonlyArray<Declaration>,
  { response }: Schemas
) => {
  const notices = [
    ...noticeHeaders(operation.lifecycle !== undefined, operation.stability !== "stable"),
    ...(operation.method === "GET" ? [] : REPLAY_HEADERS)
  ]
  const responses: Record<string, ResponseObject> = {}
  for (const [status, { ast }] of operation.successes) {
    const schema = Option.getOrUndefined(Option.map(ast, response))
    if (isStream(operation.successes))
      responses[status] = stream([...STREAM_HEADERS, ...notices], response(Event.ast))
    else if (schema === undefined) responses[status] = success("Done.", notices)
    else if (status === 201) {
      responses[status] = success(
        "Created.",
        [...CREATION_HEADERS, ...notices],
        schema,
        linksOf(operation, all)
      )
    } else if (isList(operation))
      responses[status] = success("A page.", [...PAGE_HEADERS, ...notices], schema)
    else responses[status] = success("The record.", [...RECORD_HEADERS, ...notices], schema)
  }
  if (readsOne(operation)) {
    responses["304"] = success("The record still has the tag in `If-None-Match`.", [
      ...RECORD_HEADERS,
      ...notices
    ])
  }
  return { responses, notices }
}

export const requestHeaders = ({
  method,
  pathAst,
  stability,
  successes
}: Declaration): ReadonlyArray<RequestHeader> => [
  ...(pathAst === undefined || method === "GET" ? [] : (["IfMatch"] as const)),
  ...(method === "GET" ? [] : (["IdempotencyKey"] as const)),
  ...(isStream(successes) ? (["LastEventId"] as const) : []),
  ...(stability === "experimental" ? (["StabilityOptIn"] as const) : []),
  "ApiVersion"
]

const bodyOf = (
  { method, bodyAst }: Declaration,
  { request }: Schemas
): Pick<OperationObject, "requestBody"> => {
  if (bodyAst === undefined) return {}
  const schema = request(bodyAst)
  const content = {
    "application/json": { schema },
    ...(method === "PATCH" ? { "application/merge-patch+json": { schema } } : {})
  }
  return { requestBody: { required: true, content } }
}

const extensionsOf = ({ stability, lifecycle }: Declaration) => ({
  ...(lifecycle === undefined
    ? {}
    : {
        deprecated: true as const,
        "x-sunset": new Date(lifecycle.sunsetMs).toISOString().slice(0, 10)
      }),
  ...(stability === "stable"
    ? {}
    : { "x-stability": stability, "x-stability-level": LEVELS[stability] })
})

/** Links may lead to any of `all`. */
export const describeOperation = (
  operation: Declaration,
  all: ReadonlyArray<Declaration>,
  schemas: Schemas
) => {
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
    responses: {
      ...responses,
      ...failures([...new Set(operation.codes)], notices),
      ...transportFailures()
    },
    rest: {
      operationId: operation.name,
      summary: stability === "stable" ? summary : `${summary} (${stability})`,
      description,
      tags: [tag],
      security: [{ ApiKey: [] }],
      ...extensionsOf(operation),
      parameters,
      ...bodyOf(operation, schemas)
    }
  }
}
