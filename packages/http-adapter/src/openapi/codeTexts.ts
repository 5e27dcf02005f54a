/** What each error code means, for readers of the description, and a message as one may come with it. */
import type { ErrorCode } from "../contract/ErrorStatus.js"

export type CodeText = { readonly meaning: string; readonly message: string }

export const CODE_TEXTS: { readonly [Code in ErrorCode]: CodeText } = {
  invalid_json: {
    meaning: "the body is not JSON as RFC 8259 has it",
    message: "the body is not valid JSON: expected a JSON object, got nothing"
  },
  invalid_parameter: {
    meaning: "a parameter of path, query or header is not what it can be",
    message: "limit: expected a whole number from 1 to 100, got 1000"
  },
  unknown_parameter: {
    meaning: "the operation has no such query parameter",
    message: '"colour" is not a parameter here: expected no parameters'
  },
  unsupported_version: {
    meaning: "`X-API-Version` asks for another major version",
    message: 'X-API-Version: expected 1 or 1.x.y, got "2"'
  },
  malformed_request: {
    meaning: "the request is not what HTTP/1.1 allows",
    message: "the Host field is missing, which HTTP/1.1 needs"
  },
  missing_key: {
    meaning: "there is no key",
    message: "an API key is needed: send it as X-API-Key, or as Authorization: Bearer"
  },
  invalid_key: { meaning: "there is no such key", message: "this API key is not valid" },
  expired_key: { meaning: "the key has expired", message: "this API key has expired" },
  revoked_key: { meaning: "the key was revoked", message: "this API key was revoked" },
  key_banned: {
    meaning:
      "too many requests were made while they were refused with 429; `Retry-After` says how long the ban lasts",
    message: "this key is banned for 120 s"
  },
  key_disabled: { meaning: "the key is disabled", message: "this API key is disabled" },
  stability_opt_in_required: {
    meaning: "the operation is experimental, and `X-Stability-Opt-In: experimental` was not sent",
    message: "this operation is experimental: send X-Stability-Opt-In: experimental to use it all the same"
  },
  not_found: { meaning: "there is no such record", message: "there is no pet 99" },
  route_not_found: { meaning: "there is no such path", message: "there is nothing at this path" },
  method_not_allowed: { meaning: "the path has no such method", message: "this path has no such method" },
  not_acceptable: {
    meaning: "no representation is acceptable",
    message: 'Accept: expected application/json, application/problem+json or */* among it, got "text/html"'
  },
  request_timeout: {
    meaning: "the request took too long to arrive",
    message: "the request took too long to arrive"
  },
  insufficient_stock: {
    meaning: "fewer are for sale than the order wants",
    message: "quantity: only 1 for sale"
  },
  stock_limit_exceeded: {
    meaning: "with the units that are on order and may come back there would be more than 2147483647",
    message: "quantity: 2147483647 of pet 1 wanted, at most 2147483646 while 1 on order may come back"
  },
  invalid_transition: {
    meaning: "the status can't follow the present one",
    message: "status: a pet that is sold can't become available"
  },
  status_follows_stock: {
    meaning: "the status of a pet with an inventory entry follows its stock",
    message: "status: follows the stock of pet 1, which makes it available"
  },
  order_completed: { meaning: "a completed order stays as it is", message: "order 1 is completed" },
  category_in_use: { meaning: "pets refer to the category", message: "category 1 still has pets" },
  pet_in_use: { meaning: "an open order holds the pet", message: "an open order holds pet 1" },
  idempotency_in_progress: {
    meaning: "a request with the same `Idempotency-Key` is still running",
    message: "a request with this Idempotency-Key is still running"
  },
  sunset: {
    meaning: "the operation has ended, and its host has that enforced",
    message: "this operation has ended: use /pets?id={petId} instead"
  },
  precondition_failed: {
    meaning: "the record has none of the tags in `If-Match`",
    message: "the record is at revision 2, which is not among those asked for"
  },
  body_too_large: {
    meaning: "the body is longer than 1 MiB, or what the host has set",
    message: "the body is too large: expected at most 1048576 bytes"
  },
  uri_too_long: {
    meaning: "path and query are longer than 8 KiB, or what the host has set",
    message: "path and query are too long: expected at most 8192 bytes"
  },
  unsupported_media_type: {
    meaning: "the body is not declared as JSON in UTF-8 without a coding",
    message: "Content-Type: expected application/json, in UTF-8, got nothing"
  },
  validation_failed: {
    meaning: "a field is missing, unknown, or not what it can be",
    message: "name: expected 1 to 200 characters, not blank, no U+0000 and no lone surrogate, got nothing"
  },
  unknown_category: {
    meaning: "`categoryId` is of no category",
    message: "categoryId: there is no category 99"
  },
  unknown_pet: { meaning: "`petId` is of no pet", message: "petId: there is no pet 99" },
  idempotency_mismatch: {
    meaning: "the `Idempotency-Key` was used for another request",
    message: "this Idempotency-Key was used for another request"
  },
  precondition_required: { meaning: "the request needs `If-Match`", message: "If-Match is needed" },
  rate_limited: {
    meaning:
      "the limit of the minute or the day is used up; `Retry-After` says when to go on; or the account has as many event streams open as it may have",
    message: "60 requests a minute are used up: retry in 12 s"
  },
  headers_too_large: {
    meaning: "the header fields are larger than 16 KiB, or what the host has set",
    message: "the header fields of the request are too large"
  },
  internal: {
    meaning: "something unexpected; quote `X-Request-Id` when you report it",
    message: "something went wrong here; quote the X-Request-Id when you report it"
  },
  unavailable: {
    meaning: "the store is busy or out of reach, or as many event streams are open as there may be",
    message: "the store is busy, or out of reach: retry after the time in Retry-After"
  },
  shutting_down: { meaning: "the service is about to stop", message: "this store is closed" },
  storage_full: { meaning: "the store has no room", message: "the store has no room for this change" }
}
