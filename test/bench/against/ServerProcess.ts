/** A server process of one version. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pinned } from "../http/cores.js"
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

/** Files go to `folder`, each to a new one. */
export const startServer = async (
  { name, root }: Version,
  storage: Storage,
  folder: string,
  cores: string | undefined
): Promise<ServerProcess> => {
  const program = join(root, "test/dist/bench/against/server.js")
  const [command, ...args] = pinned(cores, [program, storage])
  const child = spawn(command, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production", PETSTORE_BENCH_FOLDER: folder }
  })
  running.add(child)
  const ended = once(child, "exit").then(() => running.delete(child))
  const { port, key, core } = await messageOf<Started>(child)
  if (!fileURLToPath(core).startsWith(join(root, "packages")))
    throw new Error(`the server of ${name} has loaded ${core}`)
  return {
    port,
    key,
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
