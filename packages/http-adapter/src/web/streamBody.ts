/** An event stream as the body of a web `Response`, written as fast as its reader pulls. */
import type { EventStream } from "../exchange/EventStream.js"

/** The bytes that may wait for the reader. */
const HIGH_WATER_BYTES = 65_536

/**
 * `onEnd` gets the number of written bytes once, whoever ended the stream. `signal` is the
 * request's, for hosts that abort it.
 */
export const streamBody = (
  stream: EventStream,
  signal: AbortSignal,
  onEnd: (bytes: number) => void
): ReadableStream<Uint8Array> => {
  let bytes = 0
  let isOver = false
  const over = (finish: () => void = () => undefined): void => {
    if (isOver) return
    isOver = true
    signal.removeEventListener("abort", aborted)
    finish()
    onEnd(bytes)
  }
  let aborted: () => void = () => undefined
  let drained: () => void = () => undefined
  let gone: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const writer = stream.open({
          write: (chunk) => {
            bytes += chunk.byteLength
            // A copy: other streams share the bytes, and a host may change or transfer its own.
            controller.enqueue(chunk.slice())
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => over(() => controller.close()),
          destroy: () =>
            over(() => controller.error(new Error("this reader took nothing for too long")))
        })
        drained = () => writer.drained()
        gone = () => writer.gone()
        // Nobody reads on. Servers print the error of a stream that fails.
        aborted = () =>
          over(() => {
            gone()
            controller.close()
          })
        signal.addEventListener("abort", aborted)
        if (signal.aborted) aborted()
      },
      pull: () => drained(),
      cancel: () => over(() => gone())
    },
    { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk.byteLength }
  )
}
