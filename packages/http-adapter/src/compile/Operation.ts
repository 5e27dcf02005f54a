/** Compiles the operations of the contract: all that does not depend on a request. */
import * as HttpApi from "@effect/platform/HttpApi"
import type { Decoder, Shop } from "@petstore/core/adapter"
import { decoderOf } from "@petstore/core/schema"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { Lifecycle, type LifecyclePlan } from "../contract/Lifecycle.js"
import { type Reader, readerOf } from "../contract/Parameter.js"
import { PetStoreApi } from "../contract/PetStoreApi.js"
import { Stability, type StabilityLevel } from "../contract/Stability.js"
import { recordOf, type Encoder, recordEncoder } from "./Encoder.js"
import type { OperationId } from "../contract/OperationId.js"
import type { HandledId, Handler } from "./Handler.js"
import { handlersOf } from "./handlers.js"
import { type Notices, noticesOf } from "./Notices.js"
import { type QueryReader, queryReader } from "./QueryReader.js"

export type Operation = {
  readonly id: OperationId
  readonly method: string
  /** With the base path; `:name` stands for the parameter. */
  readonly path: string
  readonly parameter: { readonly name: string; readonly reader: Reader } | undefined
  readonly readQuery: QueryReader
  /** Undefined for an operation without a body. */
  readonly decodeBody: Decoder<unknown> | undefined
  /** Whether records of this operation have an `id`, so that one may be sent back with it. */
  readonly namesOwnId: boolean
  readonly encoder: Encoder
  /** Undefined for the event stream. */
  readonly handler: Handler<unknown, unknown> | undefined
  readonly stability: StabilityLevel
  readonly lifecycle: LifecyclePlan | undefined
  readonly notices: Notices
}

type CompileOptions = {
  readonly basePath: string
  /** Replaces the contract's dates; undefined removes a deprecation. */
  readonly lifecycles: { readonly [Id in OperationId]?: LifecyclePlan | undefined }
}

const STREAM = "streamEvents"

const isHandled = (
  handlers: { readonly [Id in HandledId]: unknown },
  name: string
): name is HandledId => Object.hasOwn(handlers, name)

/** A path has one parameter; more would need a router that captures more. */
const parameterOf = (ast: SchemaAST.AST): Operation["parameter"] => {
  if (!SchemaAST.isTypeLiteral(ast) || ast.propertySignatures.length !== 1)
    throw new Error("a path has one parameter")
  const [property] = ast.propertySignatures
  const reader = property === undefined ? Option.none() : readerOf(property.type)
  if (property === undefined || Option.isNone(reader))
    throw new Error("a path parameter has a reader")
  return { name: String(property.name), reader: reader.value }
}

const NOTHING_TO_ENCODE: Encoder = { one: () => "", list: () => "" }

/** Throws at start-up for a contract that can't be compiled. */
export const compileOperations = (
  shop: Shop,
  { basePath, lifecycles }: CompileOptions
): ReadonlyArray<Operation> => {
  const handlers = handlersOf(shop)
  const operations: Array<Operation> = []
  HttpApi.reflect(PetStoreApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations, successes }) => {
      const { name } = endpoint
      if (!isHandled(handlers, name) && name !== STREAM) throw new Error(`no handler for ${name}`)
      const stability = Option.getOrElse(
        Context.getOption(mergedAnnotations, Stability),
        () => "stable" as const
      )
      const lifecycle = Object.hasOwn(lifecycles, name)
        ? lifecycles[name]
        : Option.getOrUndefined(Context.getOption(mergedAnnotations, Lifecycle))
      const record = recordOf(successes)
      operations.push({
        id: name,
        method: endpoint.method,
        path: `${basePath}${endpoint.path}`,
        parameter: Option.getOrUndefined(
          Option.map(endpoint.pathSchema, ({ ast }) => parameterOf(ast))
        ),
        readQuery: queryReader(Option.getOrUndefined(endpoint.urlParamsSchema)?.ast),
        decodeBody: Option.getOrUndefined(Option.map(endpoint.payloadSchema, decoderOf)),
        namesOwnId:
          record !== undefined &&
          SchemaAST.isTypeLiteral(record) &&
          record.propertySignatures.some((property) => property.name === "id"),
        encoder: record === undefined ? NOTHING_TO_ENCODE : recordEncoder(record),
        handler: name === STREAM ? undefined : handlers[name],
        stability,
        lifecycle,
        notices: noticesOf(basePath, stability, lifecycle)
      })
    }
  })
  return operations
}
