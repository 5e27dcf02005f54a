/** The fake timers that test authors use, as they are installed where nothing else is said. */
import { onTestFinished, vi } from "vitest"

/** Everything that `@sinonjs/fake-timers` replaces by default, except `nextTick`. */
const SINON = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "queueMicrotask",
  "performance",
  "hrtime",
  "Date"
] as const

/**
 * vitest leaves `nextTick` to its own processes, so it is replaced by hand; what was held back runs
 * at the end.
 */
const holdBackTicks = (): void => {
  const original = Object.getOwnPropertyDescriptor(process, "nextTick") ?? {}
  const heldBack: Array<() => void> = []
  process.nextTick = (
    run: (...values: ReadonlyArray<never>) => void,
    ...values: ReadonlyArray<never>
  ) => void heldBack.push(() => run(...values))
  onTestFinished(() => {
    Object.defineProperty(process, "nextTick", original)
    for (const run of heldBack) process.nextTick(run)
  })
}

/** Real time comes back after the test. */
export const FAKE_TIMERS = [
  { fakes: "vitest's defaults", install: () => void vi.useFakeTimers() },
  {
    fakes: "the defaults of sinon and Jest",
    install: () => {
      vi.useFakeTimers({ toFake: [...SINON] })
      holdBackTicks()
    }
  }
].map(({ fakes, install }) => ({
  fakes,
  install: () => {
    install()
    onTestFinished(() => void vi.useRealTimers())
  }
}))
