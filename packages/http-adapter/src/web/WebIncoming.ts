/** A web `Request` as the service sees it. */
import type { MaybePromise } from "@petstore/core/adapter"
import { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
import type { BodyFailure, HeaderName, Incoming, OnBody } from "../exchange/Incoming.js"
import type { Identify } from "../exchange/Options.js"

const NONE: ReadonlyArray<string> = []

const HAND_OVER_FIRST =
  "hand the request over before reading it, or read a clone (`request.clone()`)"

/**
 * Looks at no more of the request than it is asked for: many servers make the fields, the body and
 * the signal of a `Request` when they are first asked for, and making a body is expensive.
 */
export class WebIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly declaredBytes: number | undefined
  readonly fault = undefined
  readonly #request: Request
  readonly #headers: Headers
  readonly #addressOf: (request: Request) => string
  readonly #onVanish: (cause: unknown) => void
  readonly #identify: Identify<Request> | undefined

  constructor(
    request: Request,
    addressOf: (request: Request) => string,
    identify: Identify<Request> | undefined,
    onVanish: (cause: unknown) => void
  ) {
    const { method, headers } = request
    const length = mayCarryBody(method) ? headers.get("content-length") : null
    this.method = method
    this.target = request.url
    this.declaredBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
    this.#request = request
    this.#headers = headers
    this.#addressOf = addressOf
    this.#onVanish = onVanish
    this.#identify = identify
  }

  get hasBody(): boolean {
    if (!mayCarryBody(this.method)) return false
    return this.declaredBytes === undefined ? this.#request.body !== null : this.declaredBytes > 0
  }

  get address(): string {
    return this.#addressOf(this.#request)
  }

  account(): MaybePromise<number | undefined> {
    return this.#identify?.(this.#request)
  }

  header(name: HeaderName): string | undefined {
    return this.#headers.get(name) ?? undefined
  }

  /**
   * `Headers` joins the values of a field that was sent twice. Joined keys are refused as no key.
   */
  values(name: HeaderName): ReadonlyArray<string> {
    const value = this.#headers.get(name)
    return value === null ? NONE : [value]
  }

  readBody(maxBytes: number, onBody: OnBody): void {
    const onFailed = (cause: unknown): void => {
      if (cause instanceof BodyAlreadyRead) return onBody(cause)
      onBody({ failed: "vanished" })
      this.#onVanish(cause)
    }
    if (this.#isBounded) readWhole(this.#request, maxBytes).then(onBody, onFailed)
    else readPieces(this.#request, maxBytes).then(onBody, onFailed)
  }

  /** Whether the server lets no more bytes through than were declared. */
  get #isBounded(): boolean {
    return this.declaredBytes !== undefined && this.#headers.get("transfer-encoding") === null
  }
}

/** A `Request` of these methods has no body (Fetch standard, §5.4). */
const mayCarryBody = (method: string): boolean => method !== "GET" && method !== "HEAD"

/** Keeps a BOM, which the JSON parser refuses. */
const UTF_8 = { fatal: true, ignoreBOM: true }

const whole = new TextDecoder("utf-8", UTF_8)

/** Reads a body whose declared length is within the bound. */
const readWhole = (request: Request, maxBytes: number): Promise<string | BodyFailure> =>
  request.arrayBuffer().then((bytes) => textOf(bytes, maxBytes), refuseBody)

const textOf = (bytes: ArrayBuffer, maxBytes: number): string | BodyFailure => {
  if (bytes.byteLength > maxBytes) return { failed: "too_large" }
  try {
    return whole.decode(bytes)
  } catch {
    return { failed: "not_utf8" }
  }
}

/**
 * A body that somebody else reads, or has read, is refused with a TypeError (Fetch standard, §5.3).
 * Servers report a broken connection by other errors.
 */
const refuseBody = (cause: unknown): never => {
  throw cause instanceof TypeError ? new BodyAlreadyRead(HAND_OVER_FIRST) : cause
}

/** Ignores failures: the caller is answered all the same. */
const cancel = (reader: ReadableStreamDefaultReader<Uint8Array>): void => {
  reader.cancel().catch(() => undefined)
}

/** Reads a body of unknown length, and no more of it than the bound. */
const readPieces = async (
  { body, bodyUsed }: Request,
  maxBytes: number
): Promise<string | BodyFailure> => {
  // Whoever holds the lock is about to read.
  if (bodyUsed || body?.locked === true) throw new BodyAlreadyRead(HAND_OVER_FIRST)
  if (body === null) return ""
  const decoder = new TextDecoder("utf-8", UTF_8)
  const reader = body.getReader()
  let size = 0
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    try {
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
    } catch {
      cancel(reader)
      return { failed: "not_utf8" }
    }
    size += value.byteLength
    if (size > maxBytes) {
      cancel(reader)
      return { failed: "too_large" }
    }
  }
}
