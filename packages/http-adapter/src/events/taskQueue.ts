/** Says when those who catch up go on: one at a time, and whoever else wants something of this process before each. */

import { setImmediate } from "../timers.js"

/**
 * Takes what is to go on, and has the next of them go on in each turn of the process. All that ask for a turn of their own get the very
 * same one: a hundred readers who come back at once would hold up every request until each has had its page.
 */
export const makeTaskQueue = (): ((run: () => void) => void) => {
  const waiting: Array<() => void> = []
  const next = (): void => {
    const run = waiting.shift()
    if (waiting.length > 0) setImmediate(next)
    run?.()
  }
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(next)
  }
}
