/** A server as a process of its own, which measures the CPU time that it uses. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Command, pinned } from "../http/cores.js"
import type { Target } from "../http/works.js"
import type { Storage } from "../peers/Peer.js"
import type { Version } from "./versions.js"

export type ServerProcess = Target & {
  /** The processor time that it has used, all its threads' and the kernel's for it. */
  readonly cpuMicros: () => Promise<number>
  readonly stop: () => Promise<void>
}

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

type Started = Target & { readonly core: string }

/** The next message of a process; fails where it ends instead. */
const messageOf = async <A>(child: ChildProcess): Promise<A> => {
  const controller = new AbortController()
  const { signal } = controller
  try {
    const ended = once(child, "exit", { signal }).then(([code, name]): never => {
      throw new Error(`a server ended with ${code ?? name}`)
    })
    const [message]: Array<A> = await Promise.race([once(child, "message", { signal }), ended])
    if (message === undefined) throw new Error("a server sent an empty message")
    return message
  } finally {
    controller.abort()
  }
}

/** Runs a program that sends what it has started as a message. */
export const startProcess = async <A extends Target>(
  [command, ...args]: Command,
  environment: Readonly<Record<string, string>>
): Promise<ServerProcess & A> => {
  const child = spawn(command, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production", ...environment }
  })
  running.add(child)
  const ended = once(child, "exit").then(() => running.delete(child))
  const started = await messageOf<A>(child)
  return {
    ...started,
    cpuMicros: () => {
      child.send("cpu")
      return messageOf<number>(child)
    },
    stop: async () => {
      child.disconnect()
      await ended
    }
  }
}

/** The server of a version. Files go to `folder`, each to a new one. */
export const startServer = async (
  { name, root }: Version,
  storage: Storage,
  folder: string,
  cores: string | undefined
): Promise<ServerProcess> => {
  const program = join(root, "test/dist/bench/against/server.js")
  const command = pinned(cores, [program, storage])
  const server = await startProcess<Started>(command, { PETSTORE_BENCH_FOLDER: folder })
  if (!fileURLToPath(server.core).startsWith(join(root, "packages")))
    throw new Error(`the server of ${name} has loaded ${server.core}`)
  return server
}
