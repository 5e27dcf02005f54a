/**
 * The host has begun to read the body of a request before the handler, so the rest is not what the
 * caller sent. The caller is answered 500, and `onError` gets this error.
 */
export class BodyAlreadyRead extends Error {
  override readonly name = "BodyAlreadyRead"

  /** `remedy` says what the host has to change. */
  constructor(remedy: string) {
    super(`the body was read before the store's handler got the request: ${remedy}`)
  }
}
