/** What each error code means, and an example of each error as its class words it. */
import {
  CategoryInUse,
  ExpiredKey,
  IdempotencyMismatch,
  InsufficientStock,
  InvalidKey,
  InvalidParameter,
  InvalidTransition,
  KeyBanned,
  KeyDisabled,
  MAX_LIMIT,
  MAX_QUANTITY,
  MissingKey,
  NotFound,
  OrderCompleted,
  PetInUse,
  PreconditionFailed,
  RateLimited,
  RevokedKey,
  StatusFollowsStock,
  StockLimitExceeded,
  UnknownCategory,
  UnknownPet,
  ValidationFailed
} from "@petstore/core"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import {
  BodyTooLarge,
  InvalidJson,
  MalformedRequest,
  MethodNotAllowed,
  NotAcceptable,
  OptInRequired,
  opaque,
  PastSunset,
  PreconditionRequired,
  RouteNotFound,
  ShuttingDown,
  TargetTooLong,
  unparsed,
  UnknownParameter,
  UnsupportedMediaType,
  UnsupportedVersion
} from "../contract/errors.js"

export const MEANINGS: { readonly [Code in ErrorCode]: string } = {
  invalid_json: "the body is not JSON (RFC 8259)",
  invalid_parameter: "a parameter of path, query or header is invalid",
  unknown_parameter: "the operation has no such query parameter",
  unsupported_version: "`X-API-Version` asks for another major version",
  malformed_request: "the request is not valid HTTP/1.1",
  missing_key: "there is no key",
  invalid_key: "there is no such key",
  expired_key: "the key has expired",
  revoked_key: "the key was revoked",
  key_banned:
    "too many requests were sent before `Retry-After` was over; `Retry-After` has the rest " +
    "of the ban",
  key_disabled: "the key is disabled",
  stability_opt_in_required:
    "the operation is experimental, and `X-Stability-Opt-In: experimental` was not sent",
  not_found: "there is no such record",
  route_not_found: "there is no such path",
  method_not_allowed: "the path has no such method",
  not_acceptable: "no representation is acceptable",
  request_timeout: "the request took too long to arrive",
  insufficient_stock: "fewer units are for sale than the order wants",
  stock_limit_exceeded: "together with the units on order, the stock would exceed 2147483647",
  invalid_transition: "the status can't follow the current one",
  status_follows_stock: "the status of a pet with an inventory entry follows its stock",
  order_completed: "a completed order is final",
  category_in_use: "pets refer to the category",
  pet_in_use: "an open order reserves the pet",
  sunset: "the operation has ended, and its host enforces that",
  precondition_failed: "the record has none of the tags in `If-Match`",
  body_too_large: "the body is longer than 1 MiB, or than the limit of the host",
  uri_too_long: "path and query are longer than 8 KiB, or than the limit of the host",
  unsupported_media_type: "the body is not declared as JSON in UTF-8 without a coding",
  validation_failed: "a field is missing, unknown, or invalid",
  unknown_category: "no category has this `categoryId`",
  unknown_pet: "no pet has this `petId`",
  idempotency_mismatch: "the `Idempotency-Key` was used for another request",
  precondition_required: "the request needs `If-Match`",
  rate_limited:
    "the limit of the minute or the day is used up, or the account has too many event streams; " +
    "retry after `Retry-After`",
  headers_too_large: "the header fields are larger than 16 KiB, or than the limit of the host",
  internal: "something unexpected; quote `X-Request-Id` when you report it",
  unavailable: "the store is busy or unreachable, or too many event streams are open",
  shutting_down: "the service is about to stop",
  storage_full: "the store has no space"
}

const ENDED_MS = Date.UTC(2026, 11, 24, 8)

const WAIT = {
  untilMs: ENDED_MS,
  headers: { limit: 60, remaining: 0, resetSeconds: ENDED_MS / 1_000, window: "minute" }
} as const

type Example<Code> = { readonly code: Code; readonly message: string }

/** One error of each code. */
export const EXAMPLES: { readonly [Code in ErrorCode]: Example<Code> } = {
  invalid_json: new InvalidJson({ fault: "expected a JSON object, got nothing" }),
  invalid_parameter: new InvalidParameter({
    parameter: "limit",
    expected: `a whole number from 1 to ${MAX_LIMIT}`,
    got: "1000"
  }),
  unknown_parameter: new UnknownParameter({ parameter: "colour", known: [] }),
  unsupported_version: new UnsupportedVersion({ got: "2" }),
  malformed_request: new MalformedRequest({
    fault: "the Host field is missing, which HTTP/1.1 needs"
  }),
  missing_key: new MissingKey(),
  invalid_key: new InvalidKey(),
  expired_key: new ExpiredKey({ expiresMs: ENDED_MS }),
  revoked_key: new RevokedKey({ revokedMs: ENDED_MS }),
  key_banned: new KeyBanned({ ...WAIT, retryAfterSeconds: 120 }),
  key_disabled: new KeyDisabled(),
  stability_opt_in_required: new OptInRequired(),
  not_found: new NotFound({ kind: "pet", id: 99 }),
  route_not_found: new RouteNotFound(),
  method_not_allowed: new MethodNotAllowed({ allow: "GET, POST, HEAD, OPTIONS" }),
  not_acceptable: new NotAcceptable({
    got: "text/html",
    types: "application/json, application/problem+json"
  }),
  request_timeout: unparsed("request_timeout"),
  insufficient_stock: new InsufficientStock({ petId: 1, wanted: 2, forSale: 1 }),
  stock_limit_exceeded: new StockLimitExceeded({
    petId: 1,
    wanted: MAX_QUANTITY,
    most: MAX_QUANTITY - 1,
    onOrder: 1
  }),
  invalid_transition: new InvalidTransition({ from: "sold", to: "available" }),
  status_follows_stock: new StatusFollowsStock({ petId: 1, status: "available" }),
  order_completed: new OrderCompleted({ orderId: 1 }),
  category_in_use: new CategoryInUse({ categoryId: 1 }),
  pet_in_use: new PetInUse({ petId: 1 }),
  sunset: new PastSunset({ successor: "/pets?id={petId}" }),
  precondition_failed: new PreconditionFailed({ current: 2 }),
  body_too_large: new BodyTooLarge({ maxBodyBytes: 1_048_576 }),
  uri_too_long: new TargetTooLong({ maxTargetBytes: 8_192 }),
  unsupported_media_type: new UnsupportedMediaType({
    header: "Content-Type",
    expected: "application/json, in UTF-8",
    got: "nothing"
  }),
  validation_failed: new ValidationFailed({
    issues: [
      {
        field: "name",
        expected: "1 to 200 characters, not blank, no U+0000 and no lone surrogate",
        got: "nothing"
      }
    ]
  }),
  unknown_category: new UnknownCategory({ categoryId: 99 }),
  unknown_pet: new UnknownPet({ petId: 99 }),
  idempotency_mismatch: new IdempotencyMismatch(),
  precondition_required: new PreconditionRequired(),
  rate_limited: new RateLimited({ ...WAIT, retryAfterSeconds: 12 }),
  headers_too_large: unparsed("headers_too_large"),
  internal: opaque("internal"),
  unavailable: opaque("unavailable"),
  shutting_down: new ShuttingDown(),
  storage_full: opaque("storage_full")
}
