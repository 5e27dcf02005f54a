/**
 * Requests that are nearly right: good ones, changed byte by byte, by a seed. The same seed makes
 * the same bytes.
 */

/** A source of numbers that a seed determines (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  const pick = <A>(from: readonly [A, ...ReadonlyArray<A>]): A =>
    from[below(from.length)] ?? from[0]
  return { next, below, pick }
}

export type Random = ReturnType<typeof randomOf>

type Good = {
  readonly line: string
  readonly body?: string
  readonly fields?: ReadonlyArray<string>
}

const GOOD: readonly [Good, ...ReadonlyArray<Good>] = [
  { line: "GET /pets HTTP/1.1" },
  { line: "GET /pets?status=available&categoryId=1&sort=-name&limit=3&total=true HTTP/1.1" },
  { line: "GET /pets/1 HTTP/1.1", fields: ['If-None-Match: "1-1"'] },
  { line: "HEAD /store/orders?complete=false HTTP/1.1" },
  { line: "OPTIONS /pets/1 HTTP/1.1" },
  { line: "GET http://shop.test/store/inventory/1 HTTP/1.1" },
  { line: "GET /store/orders?shipDateFrom=2026-01-01T00:00:00Z&cursor=abc HTTP/1.1" },
  { line: "GET /openapi.json HTTP/1.1", fields: ["Accept-Encoding: gzip, br;q=0.5"] },
  { line: "GET /health/ready HTTP/1.1" },
  { line: "GET /metrics HTTP/1.0" },
  {
    line: "POST /pets HTTP/1.1",
    body: '{"name":"Max \u{1f436}","categoryId":1,"status":"pending"}'
  },
  { line: "POST /categories HTTP/1.1", body: '{"name":"Cats","description":"purr"}' },
  {
    line: "POST /store/orders HTTP/1.1",
    body: '{"petId":1,"quantity":2,"shipDate":"2026-05-01T10:00:00+02:00","complete":false}',
    fields: ["Idempotency-Key: order-1"]
  },
  { line: "POST /store/orders HTTP/1.1", body: "{}" },
  { line: "PUT /pets/1 HTTP/1.1", body: '{"id":1,"name":"Rex","categoryId":1}' },
  { line: "PATCH /store/orders/1 HTTP/1.1", body: '{"complete":true,"quantity":null}' },
  { line: "PATCH /pets/2 HTTP/1.1", body: '{"name":"Bo"}', fields: ["If-Match: *"] },
  { line: "PUT /store/inventory/1 HTTP/1.1", body: '{"quantity":50}', fields: ['If-Match: "1-1"'] },
  { line: "DELETE /store/orders/2 HTTP/1.1", fields: ["Idempotency-Key: gone"] },
  { line: "DELETE /pets/3 HTTP/1.1" }
]

/** What tends to break readers of HTTP, of JSON, of numbers and of text. */
const PIECES: readonly [string, ...ReadonlyArray<string>] = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  "%",
  "%00",
  "%2F",
  "%E0%A4%A",
  "//",
  "/../",
  "?",
  "#",
  "*",
  " ",
  "\t",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Expect: 100-continue\r\n",
  "Connection: close\r\n",
  "Connection: Upgrade\r\nUpgrade: websocket\r\n",
  "Upgrade: h2c\r\n",
  "Host: \r\n",
  "X-API-Key: evil\r\n",
  "Authorization: Bearer \r\n",
  "Accept: text/html;q=0\r\n",
  "Accept-Encoding: *;q=0\r\n",
  "Origin: null\r\n",
  'If-Match: W/"\r\n',
  "Idempotency-Key: \r\n",
  "X-API-Version: 2\r\n",
  "traceparent: 00-0-0-0\r\n",
  "ffffffffffffffff\r\n",
  "0\r\n\r\n",
  "-1",
  "0x10",
  "1e400",
  "9007199254740993",
  "9223372036854775808",
  "{",
  "[",
  "}",
  "]",
  '"',
  "\\u0000",
  "\\ud800",
  '"__proto__":{},',
  '"petId":1,',
  "null",
  "\u{1f436}",
  "\ufeff",
  "[".repeat(2_000),
  "a".repeat(9_000),
  "X: y\r\n".repeat(120)
]

const INVALID = Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])

/** The request as bytes, with a body of whatever bytes, framed as HTTP wants it. */
const written = (
  { line, fields = [] }: Good,
  body: Buffer | undefined,
  key: string,
  random: Random
): Buffer => {
  const head = [line, "Host: shop.test", `X-API-Key: ${key}`, ...fields]
  if (body === undefined) return Buffer.from(`${head.join("\r\n")}\r\n\r\n`)
  head.push("Content-Type: application/json")
  if (random.below(4) > 0 || body.length === 0) {
    head.push(`Content-Length: ${body.length}`)
    return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body])
  }
  head.push("Transfer-Encoding: chunked")
  const start = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body.length.toString(16)}\r\n`)
  return Buffer.concat([start, body, Buffer.from("\r\n0\r\n\r\n")])
}

type Change = (bytes: Buffer, random: Random) => Buffer

const between = (bytes: Buffer, random: Random): readonly [number, number] => {
  const from = random.below(bytes.length + 1)
  return [from, Math.min(bytes.length, from + random.below(24))]
}

const spliced = (bytes: Buffer, from: number, to: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)])

const CHANGES: readonly [Change, ...ReadonlyArray<Change>] = [
  // one bit
  (bytes, random) => {
    const changed = Buffer.from(bytes)
    const at = random.below(changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
    return changed
  },
  // one byte
  (bytes, random) => {
    const changed = Buffer.from(bytes)
    changed[random.below(changed.length)] = random.below(256)
    return changed
  },
  // a piece is missing
  (bytes, random) => spliced(bytes, ...between(bytes, random), Buffer.alloc(0)),
  // a piece is there twice
  (bytes, random) => {
    const [from, to] = between(bytes, random)
    return spliced(bytes, to, to, bytes.subarray(from, to))
  },
  // a piece that tends to break things, put in or put in place of another
  (bytes, random) => {
    const [from, to] = between(bytes, random)
    return spliced(bytes, from, random.below(2) === 0 ? from : to, Buffer.from(random.pick(PIECES)))
  },
  // a piece that begins a line
  (bytes, random) => {
    const lines = [...bytes.toString("latin1").matchAll(/\n/g)].map(({ index }) => index + 1)
    const at = lines[random.below(lines.length)] ?? 0
    return spliced(bytes, at, at, Buffer.from(random.pick(PIECES)))
  },
  // bytes that are no text
  (bytes, random) => {
    const [from] = between(bytes, random)
    return spliced(bytes, from, from, INVALID)
  },
  // another number
  (bytes, random) =>
    Buffer.from(
      bytes
        .toString("latin1")
        .replace(/\d+/, () => String(random.below(2) === 0 ? random.below(100) : 2 ** 53)),
      "latin1"
    ),
  // only the beginning
  (bytes, random) => bytes.subarray(0, random.below(bytes.length))
]

/** What ends a line, or a target, is taken out again, so that a change of one stays one. */
const inLine = (bytes: Buffer): string => bytes.toString("latin1").replace(/[\r\n ]/g, "")

/**
 * The requests of a run. One in eight is as it should be. Of the others a third is changed
 * anywhere, in one to four places; the rest in target, fields or body only, and then framed as it
 * should be, so that what reads those is reached.
 */
export const makeMutator = (seed: number, key: string) => {
  const random = randomOf(seed)
  const changed = (bytes: Buffer, most: number): Buffer => {
    let result = bytes
    const times = 1 + random.below(most)
    for (let time = 0; time < times && result.length > 0; time++)
      result = random.pick(CHANGES)(result, random)
    return result
  }
  const next = (): Buffer => {
    const good = random.pick(GOOD)
    const body = good.body === undefined ? undefined : Buffer.from(good.body)
    if (random.below(8) === 0) return written(good, body, key, random)
    const place = random.below(6)
    if (place < 2) return changed(written(good, body, key, random), 4)
    if (place < 4 && body !== undefined) return written(good, changed(body, 2), key, random)
    const [method = "", target = "", version = ""] = good.line.split(" ")
    const line = `${method} ${inLine(changed(Buffer.from(target), 2))} ${version}`
    const fields = good.fields?.map((field) => {
      const [name = "", value = ""] = field.split(": ")
      return `${name}: ${inLine(changed(Buffer.from(value), 2))}`
    })
    return written({ line, ...(fields === undefined ? {} : { fields }) }, body, key, random)
  }
  return { random, next }
}
