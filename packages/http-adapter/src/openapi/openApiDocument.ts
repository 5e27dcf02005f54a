/** The description of the service as OpenAPI 3.0.3, derived from the contract: paths, schemas, codes, lifecycle and all. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { OperationId } from "../compile/Handler.js"
import { ErrorBody, ErrorCodes } from "../contract/ErrorBody.js"
import { Event, EVENT_STREAM_TYPE } from "../contract/events.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { Lifecycle, type LifecyclePlan } from "../contract/Lifecycle.js"
import { API_VERSION, PetStoreApi } from "../contract/PetStoreApi.js"
import { Stability, type StabilityLevel } from "../contract/Stability.js"
import type {
  LinkObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject
} from "./Document.js"
import { REQUEST_HEADERS, type RequestHeader, RESPONSE_HEADERS } from "./headers.js"
import { DESCRIPTION, SECURITY_SCHEMES } from "./introduction.js"
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
import { makeSchemas, type Schemas } from "./schemas.js"
import { shareResponses } from "./shareResponses.js"

/** What the description says of a service as it is set up. */
export type DescribeOptions = {
  /** As the service has it. */
  readonly basePath?: string
  /** As the service has it. */
  readonly requireConditions?: boolean
  /** As the service has it. */
  readonly lifecycles?: { readonly [Id in OperationId]?: LifecyclePlan | undefined }
}

/** RFC 9457's members besides ours. */
const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  detail: Schema.String,
  code: Schema.String,
  message: Schema.String,
  status: Schema.Int
}).annotations({ identifier: "Problem" })

/** The words oasdiff knows. */
const LEVELS = { beta: "beta", experimental: "alpha" } as const

/** An operation of the contract, and what its annotations say. */
type Declared = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly pathAst: SchemaAST.AST | undefined
  readonly queryAst: SchemaAST.AST | undefined
  readonly bodyAst: SchemaAST.AST | undefined
  readonly tag: string
  readonly codes: ReadonlyArray<ErrorCode>
  readonly stability: StabilityLevel
  readonly lifecycle: LifecyclePlan | undefined
  readonly summary: string
  readonly description: string
  readonly successes: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
}

type Tag = OpenApiDocument["tags"][number]

const reflect = (
  lifecycles: Readonly<Record<string, LifecyclePlan | undefined>>,
  requireConditions: boolean
) => {
  const tags: Array<Tag> = []
  const declared: Array<Declared> = []
  const text = <I>(context: Context.Context<never>, tag: Context.Tag<I, string>) =>
    Option.getOrElse(Context.getOption(context, tag), () => "")
  HttpApi.reflect(PetStoreApi, {
    onGroup: ({ group, mergedAnnotations }) => {
      tags.push({
        name: text(mergedAnnotations, OpenApi.Title),
        description: text(group.annotations, OpenApi.Description)
      })
    },
    onEndpoint: ({ group, endpoint, mergedAnnotations, successes }) => {
      const get = <I, A>(tag: Context.Tag<I, A>) =>
        Option.getOrUndefined(Context.getOption(mergedAnnotations, tag))
      const lifecycle = Object.hasOwn(lifecycles, endpoint.name) ? lifecycles[endpoint.name] : get(Lifecycle)
      const stability = get(Stability) ?? "stable"
      declared.push({
        name: endpoint.name,
        method: endpoint.method,
        path: endpoint.path,
        pathAst: Option.getOrUndefined(endpoint.pathSchema)?.ast,
        queryAst: Option.getOrUndefined(endpoint.urlParamsSchema)?.ast,
        bodyAst: Option.getOrUndefined(endpoint.payloadSchema)?.ast,
        tag: text(group.annotations, OpenApi.Title),
        codes: [
          ...(get(ErrorCodes) ?? []),
          ...(lifecycle === undefined ? [] : (["sunset"] as const)),
          ...(stability === "experimental" ? (["stability_opt_in_required"] as const) : []),
          ...(requireConditions && endpoint.method !== "GET" && Option.isSome(endpoint.pathSchema)
            ? (["precondition_required"] as const)
            : [])
        ],
        stability,
        lifecycle,
        summary: text(mergedAnnotations, OpenApi.Summary),
        description: text(mergedAnnotations, OpenApi.Description),
        successes
      })
    }
  })
  return { tags, declared }
}

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

const requestHeaders = ({
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

const describe = (operation: Declared, all: ReadonlyArray<Declared>, schemas: Schemas) => {
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

const sorted = <A>(record: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))

/** Describes the contract as a service with these options serves it. Pure: equal options, equal documents. */
export const openApiDocument = ({
  basePath = "",
  lifecycles = {},
  requireConditions = false
}: DescribeOptions = {}): OpenApiDocument => {
  const { tags, declared } = reflect(lifecycles, requireConditions)
  const schemas = makeSchemas()
  schemas.told(ErrorBody.ast)
  schemas.told(Problem.ast)
  const described = declared.map((operation) => describe(operation, declared, schemas))
  const shared = shareResponses(described.flatMap(({ responses }) => Object.entries(responses)))
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const { path, method, responses, rest } of described) {
    const all = Object.entries(responses).map(([status, response]) => {
      const name = shared.nameOf(status, response)
      return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }] as const
    })
    paths[path] = { ...paths[path], [method]: { ...rest, responses: Object.fromEntries(all) } }
  }
  const used = new Set(declared.flatMap(requestHeaders))
  const parameters: Readonly<Record<string, ParameterObject>> = Object.fromEntries(
    Object.entries(REQUEST_HEADERS).filter(([name]) => [...used].some((each) => each === name))
  )
  return {
    openapi: "3.0.3",
    info: {
      title: "Pet Store",
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: "The Pet Store maintainers" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    },
    servers: [{ url: basePath === "" ? "/" : basePath, description: "The service this was read from." }],
    tags,
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths,
    components: {
      schemas: sorted(schemas.components()),
      responses: sorted(shared.components),
      parameters,
      headers: RESPONSE_HEADERS,
      securitySchemes: SECURITY_SCHEMES
    }
  }
}

/** The document as text. The largest int64 is no number of JavaScript; here it is written out. */
export const openApiText = (document: OpenApiDocument, indent = 0): string =>
  JSON.stringify(document, null, indent).replace(
    /("maximum": ?)9223372036854776000/g,
    "$19223372036854775807"
  )
