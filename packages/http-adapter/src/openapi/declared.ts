/** Reads the operations of the contract and their annotations. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as SchemaAST from "effect/SchemaAST"
import { ErrorCodes } from "../contract/ErrorBody.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { Lifecycle, type LifecyclePlan } from "../contract/Lifecycle.js"
import { PetStoreApi } from "../contract/PetStoreApi.js"
import { Stability, type StabilityLevel } from "../contract/Stability.js"
import type { OpenApiDocument } from "./Document.js"

/** An operation of the contract with its annotations. */
export type Declaration = {
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

/** `lifecycles` replace those of the contract. */
export const reflect = (
  lifecycles: Readonly<Record<string, LifecyclePlan | undefined>>,
  requireConditions: boolean
) => {
  const tags: Array<Tag> = []
  const declarations: Array<Declaration> = []
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
      const lifecycle = Object.hasOwn(lifecycles, endpoint.name)
        ? lifecycles[endpoint.name]
        : get(Lifecycle)
      const stability = get(Stability) ?? "stable"
      declarations.push({
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
  return { tags, declarations }
}
