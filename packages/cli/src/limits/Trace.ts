/** A trace: a request a line, as JSON. Lines that are none are told apart, not guessed at. */
import { createReadStream } from "node:fs"
import process from "node:process"
import { createInterface } from "node:readline"
import { LATEST_INSTANT_MS, type TracedRequest } from "@petstore/core"

export type BadLine = {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export type Trace = {
  readonly requests: ReadonlyArray<TracedRequest>
  readonly badLines: ReadonlyArray<BadLine>
}

/** The request of a line, or what is wrong with it. Members that a recorded trace has besides are ignored. */
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

/** Reads a file, or standard input for `-`. Blank lines are no requests. Rejects where the file can't be read. */
export const readTrace = async (file: string): Promise<Trace> => {
  const requests: Array<TracedRequest> = []
  const badLines: Array<BadLine> = []
  const input = file === "-" ? process.stdin : createReadStream(file)
  let line = 0
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (text.trim() === "") continue
    const request = parseRequest(line === 1 ? text.replace(/^\ufeff/, "") : text)
    if (typeof request === "string") badLines.push({ line, message: request })
    else requests.push(request)
  }
  return { requests, badLines }
}
