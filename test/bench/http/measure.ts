/**
 * Interleaved rounds of one kind of work on servers that were started for it, as figures of each.
 */
import { type Load, load } from "../load/load.js"
import type { PeerName } from "../peers/Peer.js"
import { cpuMicros, residentMb } from "./processFigures.js"
import { type Server, startServer } from "./Server.js"
import { median, ratio, type Spread, spread, sum } from "./statistics.js"
import { titleOf, type Work } from "./works.js"

export type Rounds = {
  readonly count: number
  readonly seconds: number
  /** The round that is not counted: so long, and until so much is done. */
  readonly warmUp: { readonly seconds: number; readonly requests: number }
}

export type Figures = {
  readonly work: string
  readonly server: PeerName
  readonly requestsPerSecond: Spread
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the server for each request. */
  readonly cpuMicros: number | undefined
  /**
   * That divided by the pet store's. Other work of the machine disturbs it less than it does the
   * requests a second.
   */
  readonly cpuRatio: number | undefined
  /** The pet store's requests a second divided by this server's. */
  readonly ratio: Spread
  /** This server's p99 divided by the pet store's. */
  readonly p99Ratio: Spread
  readonly idleMb: number | undefined
  readonly loadedMb: number | undefined
  /** Which part of a processor the load took. */
  readonly loadCpu: number
}

type Round = Load & { readonly cpuMicros: number | undefined }

type Measured = {
  readonly server: Server
  readonly idleMb: number | undefined
  readonly requests: ReadonlyArray<Buffer>
  readonly rounds: Array<Round>
}

const oneRound = async (
  work: Work,
  server: Server,
  requests: ReadonlyArray<Buffer>,
  seconds: number,
  atLeast = 0
): Promise<Round> => {
  const { port, pid, peer } = server
  const { connections, expected } = work
  const before = cpuMicros(pid)
  const one = await load({ port, connections, seconds, atLeast, requests, expected })
  const after = cpuMicros(pid)
  if (one.unexpected > 0)
    throw new Error(
      `${titleOf(work)}: ${peer} answered ${one.unexpected} times not with ${expected}`
    )
  return {
    ...one,
    cpuMicros: before === undefined || after === undefined ? undefined : after - before
  }
}

const cpuOfRequest = (rounds: ReadonlyArray<Round>): number | undefined => {
  const used = rounds.flatMap((round) => round.cpuMicros ?? [])
  return used.length < rounds.length
    ? undefined
    : sum(used) / sum(rounds.map(({ requests }) => requests))
}

const requestsPerSecond = (round: Round): number => round.requestsPerSecond
const p99Ms = (round: Round): number => round.p99Ms

/** What the rounds of one server come to beside those of the pet store. */
const figuresOf = (
  work: Work,
  { server, idleMb, rounds }: Measured,
  own: ReadonlyArray<Round>
): Figures => {
  const cpu = cpuOfRequest(rounds)
  const ownCpu = cpuOfRequest(own)
  return {
    work: titleOf(work),
    server: server.peer,
    requestsPerSecond: spread(rounds.map(requestsPerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map(p99Ms)),
    cpuMicros: cpu,
    cpuRatio: cpu === undefined || ownCpu === undefined ? undefined : cpu / ownCpu,
    ratio: ratio(own.map(requestsPerSecond), rounds.map(requestsPerSecond)),
    p99Ratio: ratio(rounds.map(p99Ms), own.map(p99Ms)),
    idleMb,
    loadedMb: residentMb(server.pid),
    loadCpu: median(rounds.map((round) => round.ownCpu))
  }
}

export const measure = async (
  work: Work,
  peers: ReadonlyArray<PeerName>,
  rounds: Rounds,
  serverCores: string | undefined,
  progress: (text: string) => void
): Promise<ReadonlyArray<Figures>> => {
  progress(`${titleOf(work)} `)
  const servers = await Promise.all(
    peers.map((peer) => startServer(peer, work.storage, serverCores))
  )
  try {
    const measured: Array<Measured> = []
    for (const server of servers) {
      const idleMb = residentMb(server.pid)
      measured.push({ server, idleMb, requests: await work.requests(server), rounds: [] })
    }
    for (let round = -1; round < rounds.count; round++) {
      // Another one begins each round.
      const first = (round + 1) % measured.length
      for (const one of [...measured.slice(first), ...measured.slice(0, first)]) {
        if (round < 0)
          await oneRound(
            work,
            one.server,
            one.requests,
            rounds.warmUp.seconds,
            rounds.warmUp.requests
          )
        else one.rounds.push(await oneRound(work, one.server, one.requests, rounds.seconds))
      }
      progress(".")
    }
    progress("\n")
    const own = measured.find(({ server }) => server.peer === "petstore")?.rounds ?? []
    return measured.map((one) => figuresOf(work, one, own))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
