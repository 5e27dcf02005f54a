/** The names of the contract's operations, as types. */
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type { PetStoreApi } from "./PetStoreApi.js"

type Endpoints =
  typeof PetStoreApi extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R>
    ? HttpApiGroup.HttpApiGroup.Endpoints<Groups>
    : never

/** The names of all operations of the contract. */
export type OperationId = HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints>

/** An operation of the contract. */
export type Endpoint<Id extends OperationId> = HttpApiEndpoint.HttpApiEndpoint.WithName<
  Endpoints,
  Id
>
