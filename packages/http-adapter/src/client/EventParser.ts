/** Parses server-sent events from chunks of text (HTML standard, §9.2.6). */

/** An event. Without data it only moves the position of the stream. */
type ParsedEvent = {
  /** The last id so far; empty before the first. */
  readonly id: string
  /** `message` unless the stream names another type. */
  readonly type: string
  readonly data: string | undefined
}

const LINE_END = /\r\n|\n|\r/g
const BOM = "\ufeff"

export class EventParser {
  /** The last retry time of the stream, in milliseconds. */
  retryMs: number | undefined
  #rest = ""
  #isFirst = true
  #id = ""
  #type = ""
  #data: Array<string> = []

  /** The events that end in this chunk. */
  push(chunk: string): ReadonlyArray<ParsedEvent> {
    const events: Array<ParsedEvent> = []
    let text = this.#rest + chunk
    if (this.#isFirst && text !== "") {
      this.#isFirst = false
      if (text.startsWith(BOM)) text = text.slice(1)
    }
    let start = 0
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      // May be the first half of CRLF.
      if (end === "\r" && index === text.length - 1) break
      const line = text.slice(start, index)
      start = index + end.length
      if (line === "") events.push(this.#end())
      else this.#field(line)
    }
    this.#rest = text.slice(start)
    return events
  }

  #end(): ParsedEvent {
    const data = this.#data.length === 0 ? undefined : this.#data.join("\n")
    const type = this.#type === "" ? "message" : this.#type
    this.#type = ""
    this.#data = []
    return { id: this.#id, type, data }
  }

  #field(line: string): void {
    const colon = line.indexOf(":")
    const name = colon === -1 ? line : line.slice(0, colon)
    const raw = colon === -1 ? "" : line.slice(colon + 1)
    const value = raw.startsWith(" ") ? raw.slice(1) : raw
    if (name === "data") this.#data.push(value)
    else if (name === "event") this.#type = value
    else if (name === "id" && !value.includes("\0")) this.#id = value
    else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value)
  }
}
