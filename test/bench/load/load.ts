/**
 * A load generator that costs less than what it measures: raw sockets, one request at a time on
 * each, every answer's status checked.
 */
import { connect } from "node:net"

/** What one run of load saw. */
export type Load = {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers whose status was not the expected one. */
  readonly unexpected: number
  /** Which part of a processor the load itself took: near 1, it measures itself. */
  readonly ownCpu: number
}

export type Plan = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Go on until there are so many answers, but not longer than three times as long. */
  readonly atLeast?: number
  /** Stop once there are so many answers. Those that are under way are still awaited, and count. */
  readonly atMost?: number
  /** What to send in turns, as it goes over the wire. */
  readonly requests: ReadonlyArray<Buffer>
  readonly expected: number
}

const END_OF_HEAD = "\r\n\r\n"
const LENGTH = /\r\ncontent-length: *(\d+)/i
/** No answer that is measured is larger. */
const MAX_ANSWER_BYTES = 65_536

/** The bytes of the first whole answer, and its status; undefined while it is not whole. */
const firstAnswer = (
  bytes: Buffer
): { readonly length: number; readonly status: number } | undefined => {
  const end = bytes.indexOf(END_OF_HEAD, 0, "latin1")
  if (end < 0) return undefined
  const head = bytes.toString("latin1", 0, end)
  const declared = LENGTH.exec(head)?.[1]
  if (declared === undefined) throw new Error(`an answer without a length: ${head}`)
  const length = end + END_OF_HEAD.length + Number(declared)
  return bytes.length < length ? undefined : { length, status: Number(head.slice(9, 12)) }
}

/** Keeps every connection busy with one request after the other for so long. */
export const load = async (plan: Plan): Promise<Load> => {
  const {
    requests,
    expected,
    seconds: wanted,
    atLeast = 0,
    atMost = Number.POSITIVE_INFINITY
  } = plan
  const latencies: Array<number> = []
  let sent = 0
  let unexpected = 0
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const endAtMs = startedMs + wanted * 1_000
  const latestMs = startedMs + wanted * 3_000

  const connection = () =>
    new Promise<void>((closed, failed) => {
      // It begins with the received part of the awaited response.
      const buffer = Buffer.allocUnsafe(MAX_ANSWER_BYTES)
      let pending: Buffer | undefined
      let sentAtMs = 0
      let done = false
      const send = () => {
        sentAtMs = performance.now()
        const request = requests[sent++ % requests.length]
        if (request !== undefined) socket.write(request)
      }
      const received = (bytes: Buffer) => {
        const answer = firstAnswer(bytes)
        if (answer === undefined) {
          pending = Buffer.from(bytes)
          return
        }
        if (answer.length !== bytes.length) throw new Error("more came than one answer")
        pending = undefined
        if (answer.status !== expected) unexpected++
        const nowMs = performance.now()
        latencies.push(nowMs - sentAtMs)
        const isWanted = nowMs < endAtMs || (latencies.length < atLeast && nowMs < latestMs)
        if (isWanted && latencies.length < atMost) return send()
        done = true
        socket.destroy()
      }
      const socket = connect({
        port: plan.port,
        host: "127.0.0.1",
        noDelay: true,
        onread: {
          buffer,
          callback: (count, bytes) => {
            const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, count)
            received(pending === undefined ? chunk : Buffer.concat([pending, chunk]))
            return true
          }
        }
      })
      socket.on("connect", send)
      socket.on("error", failed)
      socket.on("close", () =>
        done ? closed() : failed(new Error("the server closed a kept connection"))
      )
    })

  await Promise.all(Array.from({ length: plan.connections }, connection))
  const seconds = (performance.now() - startedMs) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  latencies.sort((left, right) => left - right)
  const at = (part: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    unexpected,
    ownCpu: (user + system) / 1_000_000 / seconds
  }
}
