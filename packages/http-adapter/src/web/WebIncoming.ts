/** A web `Request` as the service sees it. */
import type { MaybePromise } from "@petstore/core/adapter"
import { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
import type { BodyFailure, HeaderName, Incoming } from "../exchange/Incoming.js"
import type { Identify } from "../exchange/Options.js"

const NONE: ReadonlyArray<string> = []

const HAND_OVER_FIRST =
  "hand the request over before reading it, or read a clone (`request.clone()`)"

export class WebIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly hasBody: boolean
  readonly declaredBytes: number | undefined
  readonly fault = undefined
  readonly #request: Request
  readonly #addressOf: (request: Request) => string
  readonly #onVanish: (cause: unknown) => void
  readonly #identify: Identify<Request> | undefined

  constructor(
    request: Request,
    addressOf: (request: Request) => string,
    identify: Identify<Request> | undefined,
    onVanish: (cause: unknown) => void
  ) {
    const length = request.headers.get("content-length")
    this.method = request.method
    this.target = request.url
    this.hasBody = request.body !== null
    this.declaredBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
    this.#request = request
    this.#addressOf = addressOf
    this.#onVanish = onVanish
    this.#identify = identify
  }

  get address(): string {
    return this.#addressOf(this.#request)
  }

  account(): MaybePromise<number | undefined> {
    return this.#identify?.(this.#request)
  }

  header(name: HeaderName): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  /**
   * `Headers` joins the values of a field that was sent twice. Joined keys are refused as no key.
   */
  values(name: HeaderName): ReadonlyArray<string> {
    const value = this.#request.headers.get(name)
    return value === null ? NONE : [value]
  }

  readBody(maxBytes: number, onBody: (body: string | BodyFailure) => void): void {
    const { body, bodyUsed } = this.#request
    // Whoever holds the lock is about to read.
    if (bodyUsed || body?.locked === true) throw new BodyAlreadyRead(HAND_OVER_FIRST)
    read(body, maxBytes).then(
      (body) => onBody(body),
      (cause: unknown) => {
        onBody({ failed: "vanished" })
        this.#onVanish(cause)
      }
    )
  }
}

/** Keeps a BOM, which the JSON parser refuses. */
const utf8 = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Ignores failures: the caller is answered all the same. */
const cancel = (reader: ReadableStreamDefaultReader<Uint8Array>): void => {
  reader.cancel().catch(() => undefined)
}

const read = async (body: Request["body"], maxBytes: number): Promise<string | BodyFailure> => {
  if (body === null) return ""
  const decoder = utf8()
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
