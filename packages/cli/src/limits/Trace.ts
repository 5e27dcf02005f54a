/** A trace has a request a line, as JSON. Other lines are reported. */
import { createReadStream } from "node:fs"
import process from "node:process"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { LATEST_INSTANT_MS, type TracedRequest } from "@petstore/core"
import { decodeText } from "../input/decodeText.js"

export type BadLine = {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export type Trace = {
  readonly requests: ReadonlyArray<TracedRequest>
  readonly badLines: ReadonlyArray<BadLine>
}

/** The request of a line, or its error. Other members are ignored. */
export const parseRequest = (line: string): TracedRequest | string => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return "not JSON"
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object"
  const atMs = "at" in value ? value.at : undefined
  const key = "key" in value ? value.key : undefined
  if (typeof atMs !== "number" || !Number.isInteger(atMs) || atMs < 0 || atMs > LATEST_INSTANT_MS)
    return "at: expected whole milliseconds since 1970, up to the year 9999"
  return typeof key === "string" && key !== "" ? { atMs, key } : "key: expected a text"
}

/**
 * Reads a file, or standard input for `-`, in UTF-8 or, with a byte order mark, UTF-16, as
 * PowerShell writes it. Blank lines and the end mark of DOS (0x1A) are skipped. Rejects if the file
 * can't be read.
 */
export const readTrace = async (file: string): Promise<Trace> => {
  const requests: Array<TracedRequest> = []
  const badLines: Array<BadLine> = []
  const bytes = file === "-" ? process.stdin : createReadStream(file)
  const input = Readable.from(decodeText(bytes, { label: "utf-8", fatal: false }))
  let line = 0
  for await (const whole of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    const text = whole.replace(END_MARK, "").trim()
    if (text === "") continue
    const request = parseRequest(text)
    if (typeof request === "string") badLines.push({ line, message: request })
    else requests.push(request)
  }
  return { requests, badLines }
}

// oxlint-disable-next-line no-control-regex -- it matches the end mark of DOS (0x1A)
const END_MARK = /\u001a+$/
