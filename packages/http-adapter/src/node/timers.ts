/** Node's timers, read when this module is loaded: see `../timers.ts`. */
import process from "node:process"

export const nextTick: (run: () => void) => void = process.nextTick.bind(process)
