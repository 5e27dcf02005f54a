/** What the store is mounted in, and how a process of each is started. */
import { execFileSync } from "node:child_process"
import type { Command } from "../http/cores.js"

/** `hand` is the same service, written by hand on that host. */
export const SIDES = ["hand", "store"] as const
export type Side = (typeof SIDES)[number]

export type Runtime = "node" | "bun" | "deno"

export type Host = {
  readonly title: string
  readonly runtime: Runtime
  /** The most CPU time that the mounted store may take, as a multiple of the service by hand. */
  readonly atMost: number
}

export const HOSTS = {
  "node-server": {
    title: "@hono/node-server",
    runtime: "node",
    atMost: 1.2
  },
  bun: { title: "Bun.serve", runtime: "bun", atMost: 1.0 },
  deno: { title: "Deno.serve", runtime: "deno", atMost: 1.1 },
  express: { title: "Express", runtime: "node", atMost: 0.9 },
  fastify: { title: "Fastify", runtime: "node", atMost: 1.2 }
} satisfies Readonly<Record<string, Host>>

export type HostName = keyof typeof HOSTS

export const isHostName = (name: string | undefined): name is HostName =>
  name !== undefined && Object.hasOwn(HOSTS, name)

export const isSide = (name: string | undefined): name is Side =>
  SIDES.some((side) => side === name)

/** The program of a runtime: where the environment says, else on the PATH. */
const programOf = (runtime: Runtime): string =>
  runtime === "node"
    ? process.execPath
    : (process.env[`PETSTORE_${runtime.toUpperCase()}`] ?? runtime)

/** The version that a runtime prints; undefined where it is not installed. */
export const versionOf = (runtime: Runtime): string | undefined => {
  try {
    const told = execFileSync(programOf(runtime), ["--version"], { encoding: "utf8" })
    return /\d+(?:\.\d+)+/.exec(told)?.[0]
  } catch {
    return undefined
  }
}

const OPTIONS: Readonly<Record<Runtime, ReadonlyArray<string>>> = {
  node: [],
  bun: ["run"],
  deno: ["run", "--allow-all", "--no-lock", "--quiet"]
}

export const commandOf = (runtime: Runtime, program: ReadonlyArray<string>): Command => [
  programOf(runtime),
  ...OPTIONS[runtime],
  ...program
]
