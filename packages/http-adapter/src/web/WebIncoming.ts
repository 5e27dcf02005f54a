/** A web `Request` as the service sees it. */
import type { MaybePromise } from "@petstore/core"
import type { BodyFailure, HeaderName, Incoming } from "../serve/Incoming.js"
import type { Identify } from "../serve/Options.js"

const NONE: ReadonlyArray<string> = []

export class WebIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly address: string
  readonly hasBody: boolean
  readonly declaredBytes: number | undefined
  readonly fault = undefined
  readonly #request: Request
  readonly #vanished: (cause: unknown) => void
  readonly #identify: Identify<Request> | undefined

  constructor(
    request: Request,
    address: string,
    identify: Identify<Request> | undefined,
    vanished: (cause: unknown) => void
  ) {
    const length = request.headers.get("content-length")
    this.method = request.method
    this.target = request.url
    this.address = address
    this.hasBody = request.body !== null
    this.declaredBytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
    this.#request = request
    this.#vanished = vanished
    this.#identify = identify
  }

  account(): MaybePromise<number | undefined> {
    return this.#identify?.(this.#request)
  }

  header(name: HeaderName): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  /** `Headers` has joined what was sent twice; joined, it is no key, and is refused as such. */
  values(name: HeaderName): ReadonlyArray<string> {
    const value = this.#request.headers.get(name)
    return value === null ? NONE : [value]
  }

  readBody(maxBytes: number, onBody: (body: string | BodyFailure) => void): void {
    read(this.#request, maxBytes).then(
      (body) => onBody(body),
      (cause: unknown) => {
        onBody({ failed: "vanished" })
        this.#vanished(cause)
      }
    )
  }
}

/** A BOM is kept, so that the JSON parser sees and refuses it. */
const utf8 = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const read = async (request: Request, maxBytes: number): Promise<string | BodyFailure> => {
  const { body } = request
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
      await reader.cancel()
      return { failed: "not_utf8" }
    }
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return { failed: "too_large" }
    }
  }
}
