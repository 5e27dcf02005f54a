/** A paired round of one work: two new servers, which take turns. */
import { load } from "../load/load.js"
import { titleOf, type Work } from "../http/works.js"
import type { ServerProcess } from "./ServerProcess.js"
import type { Round } from "./compare.js"
import type { ComparedWork } from "./works.js"

/** In each cycle, every server has two turns: first, second, second, first. */
const CYCLES = 4

/** Far longer than any slice takes, also on a busy machine. */
const TIMEOUT_SECONDS = 300

type Side = {
  readonly server: ServerProcess
  readonly requests: ReadonlyArray<Buffer>
  micros: number
  answers: number
}

/** Answers with how many requests there were: `count`, and a few that were under way by then. */
const drive = async (work: Work, { server, requests }: Side, count: number): Promise<number> => {
  const { connections, expected } = work
  const { port } = server
  const plan = { port, connections, seconds: TIMEOUT_SECONDS, atMost: count, requests, expected }
  const { requests: answers, unexpected } = await load(plan)
  if (answers >= count && unexpected === 0) return answers
  const seen = `${answers} of ${count} answers, ${unexpected} not with ${expected}`
  throw new Error(`${titleOf(work)}: ${seen}`)
}

const slice = async (work: Work, side: Side, requests: number): Promise<void> => {
  const before = await side.server.cpuMicros()
  side.answers += await drive(work, side, requests)
  side.micros += (await side.server.cpuMicros()) - before
}

/** Starts a server. */
export type Start = () => Promise<ServerProcess>

/** Answers with the CPU time per request, in microseconds, in the order of the servers. */
const inOrder = async (
  { work, effort }: ComparedWork,
  starts: readonly [Start, Start]
): Promise<readonly [number, number]> => {
  const servers: Array<ServerProcess> = []
  const begin = async (start: Start): Promise<Side> => {
    const server = await start()
    servers.push(server)
    const side = { server, requests: await work.requests(server), micros: 0, answers: 0 }
    await drive(work, side, effort.warmUp)
    return side
  }
  try {
    const first = await begin(starts[0])
    const second = await begin(starts[1])
    for (let cycle = 0; cycle < CYCLES; cycle++)
      for (const side of [first, second, second, first]) await slice(work, side, effort.slice)
    return [first.micros / first.answers, second.micros / second.answers]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** The server that starts first in one round starts second in the next. */
export const measureRound = async (
  compared: ComparedWork,
  { before, after }: { readonly before: Start; readonly after: Start },
  nth: number
): Promise<Round> => {
  if (nth % 2 === 0) {
    const [beforeMicros, afterMicros] = await inOrder(compared, [before, after])
    return { beforeMicros, afterMicros }
  }
  const [afterMicros, beforeMicros] = await inOrder(compared, [after, before])
  return { beforeMicros, afterMicros }
}
