/**
 * A store for tests, on a clock that is moved by hand, whose feed is scripted: served as web
 * requests, and read event by event.
 */
import { openTestStore, type TestStore } from "@petstore/storage-memory"
import { onTestFinished } from "vitest"
import { toWebHandler, type WebHandler, type WebHandlerOptions } from "../../src/index.js"
import { ScriptedFeed } from "./ScriptedFeed.js"

export type EventShop = {
  readonly store: TestStore
  readonly feed: ScriptedFeed
  readonly handle: WebHandler
  readonly accountId: number
  readonly keyId: number
  readonly key: string
  readonly send: (
    target: string,
    headers?: Record<string, string>,
    method?: string
  ) => Promise<Response>
  readonly open: (target?: string, headers?: Record<string, string>) => Promise<Stream>
}

/** Lets everything that waits for its turn, and nothing that waits for a time, have it. */
export const turns = async (count = 5): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

export class Stream {
  readonly response: Response
  /** All that was read, and whether the stream has ended in order. */
  text = ""
  isDone = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(response: Response) {
    if (response.body === null) throw new Error("no stream")
    this.response = response
    this.#reader = response.body.getReader()
    void this.#readOn()
  }

  async #readOn(): Promise<void> {
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) break
      this.text += decoder.decode(value, { stream: true })
    }
    this.isDone = true
  }

  /** What has come since the last call, once nothing more is on its way. */
  async news(): Promise<string> {
    await turns()
    const { text } = this
    this.text = ""
    return text
  }

  /** The ids of the events that have come since the last call. */
  async ids(): Promise<ReadonlyArray<string>> {
    return [...(await this.news()).matchAll(/^id: (\S+)\nevent: /gm)].map(([, id = ""]) => id)
  }

  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}

export const openEventShop = async (
  web: WebHandlerOptions = {},
  feed = new ScriptedFeed()
): Promise<EventShop> => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  const account = await store.accounts.create({ name: "Ann", plan: "free" })
  const { id: keyId, key } = await store.keys.create(account.id, {})
  const engine = { ...store.engine, feed }
  const handle = toWebHandler({ engine }, { experimental: true, ...web })
  onTestFinished(() => handle.endStreams())
  const send = (target: string, headers: Record<string, string> = {}, method = "GET") =>
    handle(
      new Request(`http://shop.test${target}`, {
        method,
        headers: { "x-api-key": key, ...headers }
      })
    )
  const open = async (target = "/events", headers: Record<string, string> = {}) =>
    new Stream(await send(target, headers))
  return { store, feed, handle, accountId: account.id, keyId, key, send, open }
}
