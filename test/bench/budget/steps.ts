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
 * The first pattern that a file fits decides. Files are named by package, or by `node:` for node's
 * own.
 */
const FILES: ReadonlyArray<readonly [RegExp, Step]> = [
  [/^node:_http_(common|incoming)/, "node: parse the head"],
  [/^node:_http_(outgoing|server)/, "node: write"],
  [/^node:/, "node: streams, timers, events"],
  [/^http-adapter\/node\/(writeAnswer|compress|Outbox)/, "write"],
  [/^http-adapter\/node\//, "read the head"],
  [
    /^http-adapter\/(compile\/Router|serve\/(Target|makeService|Observer|Metrics|unservable|Accept))/,
    "route"
  ],
  [
    /^http-adapter\/(json\/|compile\/QueryReader|contract\/|serve\/(read|MediaType|attempt))/,
    "decode"
  ],
  [/^http-adapter\/compile\/(handlers|Handler)/, "engine"],
  [/^http-adapter\//, "encode"],
  [/^core\/(admission|limit|key|deprecation)\//, "admit"],
  [/^core\/record\//, "decode"],
  [/^(core|storage-\w+|effect|better-sqlite3)\//, "engine"]
]

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
  return FILES.find(([pattern]) => pattern.test(file))?.[1]
}
