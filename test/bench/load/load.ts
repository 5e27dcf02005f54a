/** A load generator that costs less than what it measures: raw sockets, one request ahead on each, answers counted by length. */
import { connect } from "node:net"

/** What one run of load saw. */
export type Load = {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers whose status was not the expected one. */
  readonly unexpected: number
}

export type Plan = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The request to send as the nth of all, as it goes over the wire. */
  readonly request: (nth: number) => string
  readonly expected: number
}

const END_OF_HEAD = Buffer.from("\r\n\r\n")
const LENGTH = /\r\ncontent-length: *(\d+)/i

/** The length of the first whole answer in these bytes, and its status; undefined while it is not whole. */
const firstAnswer = (bytes: Buffer): { readonly length: number; readonly status: number } | undefined => {
  const end = bytes.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const head = bytes.toString("latin1", 0, end)
  const length = end + 4 + Number(LENGTH.exec(head)?.[1] ?? 0)
  return bytes.length < length ? undefined : { length, status: Number(head.slice(9, 12)) }
}

/** Keeps every connection busy with one request after the other for so long. */
export const load = (plan: Plan): Promise<Load> =>
  new Promise((resolve, reject) => {
    const latencies: Array<number> = []
    let sent = 0
    let unexpected = 0
    const started = performance.now()
    const endAt = started + plan.seconds * 1000

    const open = () => {
      const socket = connect({ port: plan.port, host: "127.0.0.1", noDelay: true })
      let pending = Buffer.alloc(0)
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        socket.write(plan.request(sent++), "latin1")
      }
      socket.on("connect", send)
      socket.on("error", reject)
      socket.on("data", (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        const answer = firstAnswer(pending)
        if (answer === undefined) return
        pending = pending.subarray(answer.length)
        if (answer.status !== plan.expected) unexpected++
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now < endAt) send()
        else socket.destroy()
      })
      return new Promise<void>((closed) => socket.on("close", () => closed()))
    }

    const closed = Array.from({ length: plan.connections }, open)
    const summed = Promise.all(closed).then((): Load => {
      const seconds = (performance.now() - started) / 1000
      latencies.sort((a, b) => a - b)
      const at = (part: number) =>
        latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
      return { requestsPerSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), unexpected }
    })
    resolve(summed)
  })
