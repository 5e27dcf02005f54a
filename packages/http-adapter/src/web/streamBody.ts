/** An answer that goes on as the body of a web `Response`: what its reader does not pull is not written. */
import type { EventStream } from "../exchange/EventStream.js"

/** So many bytes may wait for a reader before no more are written. */
const HIGH_WATER_BYTES = 65_536

/** `ended` is told once how many bytes were written, whoever ended the stream; `signal` is the request's, for hosts that abort it. */
export const streamBody = (
  stream: EventStream,
  signal: AbortSignal,
  ended: (bytes: number) => void
): ReadableStream<Uint8Array> => {
  let bytes = 0
  let isOver = false
  const over = (finish: () => void = () => undefined): void => {
    if (isOver) return
    isOver = true
    signal.removeEventListener("abort", aborted)
    finish()
    ended(bytes)
  }
  let aborted: () => void = () => undefined
  let drained: () => void = () => undefined
  let gone: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const writer = stream.open({
          write: (piece) => {
            bytes += piece.byteLength
            // A copy, as the same bytes go to others, and what the host does with its own is its affair.
            controller.enqueue(piece.slice())
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => over(() => controller.close()),
          destroy: () => over(() => controller.error(new Error("this reader took nothing for too long")))
        })
        drained = () => writer.drained()
        gone = () => writer.gone()
        aborted = () =>
          over(() => {
            gone()
            controller.error(signal.reason)
          })
        signal.addEventListener("abort", aborted)
        if (signal.aborted) aborted()
      },
      pull: () => drained(),
      cancel: () => over(() => gone())
    },
    { highWaterMark: HIGH_WATER_BYTES, size: (piece) => piece.byteLength }
  )
}
