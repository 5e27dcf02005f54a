/**
 * Somebody has begun to read the body of a request before the handler did, so what is left of it is
 * not what the caller sent. The caller is answered 500, and the host's `onError` is told.
 */
export class BodyAlreadyRead extends Error {
  override readonly name = "BodyAlreadyRead"

  /** `remedy` says what the host has to change. */
  constructor(remedy: string) {
    super(`the body was read before the store's handler got the request: ${remedy}`)
  }
}
