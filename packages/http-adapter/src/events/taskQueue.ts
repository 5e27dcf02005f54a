/** Runs the tasks of readers that catch up, one in each turn of the event loop. */
import { setImmediate } from "../timers.js"

/**
 * Returns a function that queues a task. `setImmediate` for each task would run all of them in one
 * turn: a hundred readers that reconnect at once would then block every request.
 */
export const makeTaskQueue = (): ((task: () => void) => void) => {
  const tasks: Array<() => void> = []
  const next = (): void => {
    const task = tasks.shift()
    if (tasks.length > 0) setImmediate(next)
    task?.()
  }
  return (task) => {
    if (tasks.push(task) === 1) setImmediate(next)
  }
}
