/** A CPU profile as the share of each step in the time the server worked. */
import type { Profiler } from "node:inspector"
import { sourceOf } from "./sourceOf.js"
import { isUncounted, type Step, STEPS, stepOf } from "./steps.js"

export type Shares = { readonly [S in Step]: number }

type Node = Profiler.ProfileNode

/**
 * The step of each node; of one that has none, that of the nearest caller that has. Null for what
 * is not counted.
 */
const stepsOf = (nodes: ReadonlyArray<Node>): ReadonlyMap<number, Step | null> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const steps = new Map<number, Step | null>()
  const visit = ({ id, callFrame, children = [] }: Node, caller: Step | null): void => {
    const { functionName, url, lineNumber } = callFrame
    const step = isUncounted(functionName, url)
      ? null
      : (stepOf(functionName, sourceOf(url, lineNumber)) ?? caller)
    steps.set(id, step)
    for (const child of children) {
      const node = byId.get(child)
      if (node !== undefined) visit(node, step)
    }
  }
  const [root] = nodes
  if (root !== undefined) visit(root, "the rest of V8 and libuv")
  return steps
}

export const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares => {
  const steps = stepsOf(nodes)
  const micros = new Map<Step, number>()
  let total = 0
  for (const [at, id] of samples.entries()) {
    const step = steps.get(id) ?? null
    if (step === null) continue
    const delta = timeDeltas[at] ?? 0
    micros.set(step, (micros.get(step) ?? 0) + delta)
    total += delta
  }
  const shares = STEPS.map((step) => [step, (micros.get(step) ?? 0) / total] as const)
  return Object.fromEntries(shares) as Record<Step, number>
}
