/**
 * `npm run bench -- events`: the memory of 1,000 idle readers, the speed of one reader, and the
 * cost of one that never reads. The server is a process of its own; readers are bare sockets. An
 * argument replaces 1,000.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import type { Asked, Told } from "./events/server.js"

const READERS = Number(process.argv[2] ?? 1_000)
const PER_SECOND = 10_000
const SECONDS = 5
const UNREAD = 100_000

type Server = {
  readonly url: URL
  readonly key: string
  readonly ask: (asked: Asked) => Promise<Told>
  readonly process: ChildProcess
}

const answerOf = async (child: ChildProcess): Promise<Told> => {
  const [told]: ReadonlyArray<Told> = await once(child, "message")
  if (told === undefined) throw new Error("the server has said nothing")
  return told
}

const startServer = async (): Promise<Server> => {
  const child = fork(fileURLToPath(new URL("events/server.js", import.meta.url)), {
    execArgv: ["--expose-gc"]
  })
  const told = await answerOf(child)
  if (!("url" in told)) throw new Error("the server has not begun")
  return {
    url: new URL(told.url),
    key: told.key,
    process: child,
    ask: (asked) => {
      const answer = answerOf(child)
      child.send(asked)
      return answer
    }
  }
}

const costOf = async ({ ask }: Server) => {
  const told = await ask({ ask: "cost" })
  if (!("rssBytes" in told)) throw new Error("the server has not said what it costs")
  return told
}

const open = (server: Server, target = "/events"): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(server.url.port), server.url.hostname)
    socket.write(`GET ${target} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${server.key}\r\n\r\n`)
    socket.once("error", reject)
    socket.once("data", (head: Buffer) =>
      head.toString("latin1").startsWith("HTTP/1.1 200 ")
        ? resolve(socket)
        : reject(new Error(head.toString()))
    )
  })

const openMany = async (server: Server, count: number): Promise<ReadonlyArray<Socket>> => {
  const sockets: Array<Socket> = []
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(50, count - sockets.length) }, () => open(server))
    sockets.push(...(await Promise.all(more)))
  }
  return sockets
}

const closeAll = async (sockets: ReadonlyArray<Socket>): Promise<void> => {
  await Promise.all(sockets.map((socket) => once(socket.destroy(), "close")))
}

const MB = 1_048_576

const idleReaders = async (): Promise<string> => {
  const server = await startServer()
  await closeAll(await openMany(server, 20))
  const before = await costOf(server)
  const sockets = await openMany(server, READERS)
  const idle = await costOf(server)
  await server.ask({ ask: "write", count: 1, perSecond: 1_000 })
  await Promise.all(sockets.map((socket) => once(socket, "data")))
  const told = await costOf(server)
  await closeAll(sockets)
  server.process.disconnect()
  const mb = ({ rssBytes }: typeof before) => ((rssBytes - before.rssBytes) / MB).toFixed(1)
  return (
    `${READERS} readers that hear nothing: ${mb(idle)} MB, after one change ${mb(told)} MB; ` +
    `telling them all ${(told.cpuMs - idle.cpuMs).toFixed(0)} ms of CPU`
  )
}

/** Counts the events of a stream, and says when the last has come. */
const counted = (socket: Socket, count: number): Promise<number> =>
  new Promise((resolve) => {
    let seen = 0
    let rest = ""
    socket.on("data", (piece: Buffer) => {
      const text = rest + piece.toString("latin1")
      const parts = text.split("\nevent: ")
      seen += parts.length - 1
      rest = text.slice(-8)
      if (rest.includes("\nevent: ")) rest = ""
      if (seen >= count) resolve(performance.now())
    })
  })

const oneReader = async (perSecond: number, seconds: number): Promise<string> => {
  const server = await startServer()
  const socket = await open(server)
  const count = perSecond * seconds
  const before = await costOf(server)
  const startMs = performance.now()
  const last = counted(socket, count)
  await server.ask({ ask: "write", count, perSecond })
  const writtenMs = performance.now()
  const lastMs = await last
  const after = await costOf(server)
  await closeAll([socket])
  server.process.disconnect()
  const rate = Math.round(count / ((lastMs - startMs) / 1_000))
  return (
    `${count} changes at ${perSecond}/s to one reader: ${rate}/s, the last ` +
    `${Math.max(0, lastMs - writtenMs).toFixed(1)} ms after it was written, ` +
    `${(((after.cpuMs - before.cpuMs) / (lastMs - startMs)) * 100).toFixed(0)} % of a core, ` +
    "writing included"
  )
}

const neverReads = async (withReader: boolean): Promise<number> => {
  const server = await startServer()
  // The feed keeps so many changes itself: they are there before anybody looks.
  await server.ask({ ask: "write", count: UNREAD, perSecond: 1_000_000 })
  const before = await costOf(server)
  const sockets = withReader ? [(await open(server)).pause()] : []
  await server.ask({ ask: "write", count: UNREAD, perSecond: 1_000_000 })
  const after = await costOf(server)
  await closeAll(sockets)
  server.process.disconnect()
  return (after.rssBytes - before.rssBytes) / MB
}

console.log(await idleReaders())
console.log(await oneReader(PER_SECOND, SECONDS))
console.log(await oneReader(40_000, 2))
const [without, unread] = [await neverReads(false), await neverReads(true)]
console.log(
  `${UNREAD} changes with a reader that never reads: the server grew by ${unread.toFixed(1)} ` +
    `MB, without one by ${without.toFixed(1)} MB`
)
