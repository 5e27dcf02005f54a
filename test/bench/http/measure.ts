/** Interleaved rounds of one kind of work on servers that were started for it, as figures of each. */
import { type Load, load } from "../load/load.js"
import type { PeerName } from "../peers/Peer.js"
import { cpuMicros, residentMb } from "./processFigures.js"
import { type Server, startServer } from "./Server.js"
import { median, ratio, type Spread, spread, sum } from "./statistics.js"
import { titleOf, type Work } from "./works.js"

export type Rounds = {
  readonly count: number
  readonly seconds: number
  /** Of the round that is not counted. */
  readonly warmUpSeconds: number
}

export type Figures = {
  readonly work: string
  readonly server: PeerName
  readonly requestsPerSecond: Spread
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the server for each request. */
  readonly cpuMicros: number | undefined
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

const oneRound = async (
  work: Work,
  server: Server,
  requests: ReadonlyArray<Buffer>,
  seconds: number
): Promise<Round> => {
  const { port, pid, peer } = server
  const { connections, expected } = work
  const before = cpuMicros(pid)
  const one = await load({ port, connections, seconds, requests, expected })
  const after = cpuMicros(pid)
  if (one.unexpected > 0)
    throw new Error(`${titleOf(work)}: ${peer} answered ${one.unexpected} times not with ${expected}`)
  return { ...one, cpuMicros: before === undefined || after === undefined ? undefined : after - before }
}

const total = (values: ReadonlyArray<number | undefined>): number | undefined =>
  values.every((value) => value !== undefined) ? sum(values) : undefined

export const measure = async (
  work: Work,
  peers: ReadonlyArray<PeerName>,
  rounds: Rounds,
  serverCores: string | undefined,
  progress: (text: string) => void
): Promise<ReadonlyArray<Figures>> => {
  progress(`${titleOf(work)} `)
  const servers = await Promise.all(peers.map((peer) => startServer(peer, work.storage, serverCores)))
  try {
    const measured = []
    for (const server of servers) {
      const idleMb = residentMb(server.pid)
      measured.push({ server, idleMb, requests: await work.requests(server), rounds: new Array<Round>() })
    }
    for (let round = -1; round < rounds.count; round++) {
      // Another one begins each round.
      const first = (round + 1) % measured.length
      for (const one of [...measured.slice(first), ...measured.slice(0, first)]) {
        const seconds = round < 0 ? rounds.warmUpSeconds : rounds.seconds
        const seen = await oneRound(work, one.server, one.requests, seconds)
        if (round >= 0) one.rounds.push(seen)
      }
      progress(".")
    }
    progress("\n")
    const own = measured.find(({ server }) => server.peer === "petstore")?.rounds ?? []
    return measured.map(({ server, idleMb, rounds: seen }): Figures => {
      const cpu = total(seen.map((round) => round.cpuMicros))
      const perSecond = (round: Round) => round.requestsPerSecond
      const p99 = (round: Round) => round.p99Ms
      const values = seen.map(perSecond)
      return {
        work: titleOf(work),
        server: server.peer,
        requestsPerSecond: spread(values),
        p50Ms: median(seen.map((round) => round.p50Ms)),
        p99Ms: median(seen.map(p99)),
        cpuMicros: cpu === undefined ? undefined : cpu / sum(seen.map((round) => round.requests)),
        ratio: ratio(own.map(perSecond), values),
        p99Ratio: ratio(seen.map(p99), own.map(p99)),
        idleMb,
        loadedMb: residentMb(server.pid),
        loadCpu: median(seen.map((round) => round.ownCpu))
      }
    })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
