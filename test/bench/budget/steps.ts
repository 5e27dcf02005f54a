/** The step of a request that a function belongs to, by its file. */

/** In the order of a request. */
export const STEPS = [
  "node: parse the head",
  "read the head",
  "route",
  "admit",
  "decode",
  "engine",
  "encode",
  "write",
  "node: write",
  "node: streams, timers, events",
  "system calls",
  "garbage collection",
  "the rest of V8 and libuv"
] as const

export type Step = (typeof STEPS)[number]

/**
 * Files by how their names begin: with their package, or with `node:` for Node's own. The longest
 * beginning that fits decides.
 */
export const FILES: ReadonlyArray<readonly [step: Step, beginnings: ReadonlyArray<string>]> = [
  ["node: parse the head", ["node:_http_common", "node:_http_incoming"]],
  ["node: write", ["node:_http_outgoing", "node:_http_server"]],
  ["node: streams, timers, events", ["node:"]],
  ["read the head", ["http-adapter/node/", "http-adapter/fields/forwardedAddress"]],
  [
    "route",
    [
      "http-adapter/compile/Router",
      "http-adapter/fields/Accept",
      "http-adapter/observe/",
      "http-adapter/serve/Target",
      "http-adapter/serve/builtinRoutes",
      "http-adapter/serve/cors",
      "http-adapter/serve/makeService",
      "http-adapter/serve/unservable"
    ]
  ],
  ["admit", ["core/access/", "http-adapter/serve/credentialsOf"]],
  [
    "decode",
    [
      "core/value/",
      "http-adapter/compile/QueryReader",
      "http-adapter/contract/",
      "http-adapter/fields/MediaType",
      "http-adapter/json/",
      "http-adapter/node/BodyChunks",
      "http-adapter/serve/attempt",
      "http-adapter/serve/condition",
      "http-adapter/serve/read"
    ]
  ],
  [
    "engine",
    [
      "better-sqlite3/",
      "core/",
      "effect/",
      "http-adapter/compile/Handler",
      "http-adapter/compile/handlers",
      "http-adapter/compile/write",
      "http-adapter/serve/runOperation",
      "storage-memory/",
      "storage-sqlite/"
    ]
  ],
  ["encode", ["http-adapter/"]],
  [
    "write",
    [
      "http-adapter/node/WriteCoalescer",
      "http-adapter/node/bareAnswers",
      "http-adapter/node/compress",
      "http-adapter/node/endConnection",
      "http-adapter/node/write"
    ]
  ]
]

const BEGINNINGS = FILES.flatMap(([step, beginnings]) =>
  beginnings.map((beginning) => ({ beginning, step }))
).toSorted((a, b) => b.beginning.length - a.beginning.length)

/** What V8 names the parts that are no JavaScript. */
const NATIVE: Readonly<Record<string, Step>> = {
  "(garbage collector)": "garbage collection",
  "(program)": "the rest of V8 and libuv",
  writev: "system calls",
  writeBuffer: "system calls",
  writeUtf8String: "system calls",
  writeLatin1String: "system calls",
  readStart: "system calls"
}

const PACKAGE = /\/(?:packages|node_modules)\/(?:@petstore\/)?([\w-]+)\/(?:dist\/)?(.*)$/

/** Idle time, and the profiler itself. */
export const isUncounted = (name: string, url: string): boolean =>
  name === "(idle)" || url === "node:inspector"

/**
 * Undefined for what is only a part of its caller: a regular expression, a native function without
 * a name of its own.
 */
export const stepOf = (name: string, url: string): Step | undefined => {
  if (url === "") return NATIVE[name]
  const [, owner, rest] = PACKAGE.exec(url) ?? []
  const file = owner === undefined ? url : `${owner}/${rest}`
  return BEGINNINGS.find(({ beginning }) => file.startsWith(beginning))?.step
}
