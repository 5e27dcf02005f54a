/** A peer as a process of its own, on the servers' core. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { PeerName, Storage } from "../peers/Peer.js"
import { pinned } from "./cores.js"

export type Server = {
  readonly peer: PeerName
  readonly pid: number | undefined
  readonly port: number
  readonly key: string
  readonly stop: () => Promise<void>
}

const main = fileURLToPath(new URL("../peers/main.js", import.meta.url))

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill()
})

const stop = async (child: ChildProcess): Promise<void> => {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill()
  await ended
}

export const startServer = async (
  peer: PeerName,
  storage: Storage,
  cores: string | undefined
): Promise<Server> => {
  const [command, ...args] = pinned(cores, [main, peer, storage])
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" }
  })
  running.add(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const { port, key }: { port: number; key: string } = JSON.parse(line)
    return { peer, pid: child.pid, port, key, stop: () => stop(child) }
  }
  throw new Error(`${peer} ended before it listened`)
}
