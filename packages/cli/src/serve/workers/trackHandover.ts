/** Closes a connection whose worker died before it received it. */
import type { Worker } from "node:cluster"

type Closable = { readonly close: () => void }

const isClosable = (handle: unknown): handle is Closable =>
  typeof handle === "object" &&
  handle !== null &&
  "close" in handle &&
  typeof handle.close === "function"

/**
 * node:cluster keeps its copy of a connection until the worker confirms it. If the worker dies
 * first, the copy stays open and the caller waits forever. One connection at a time is sent to a
 * worker. Returns a function that closes it, which is safe if it is closed already.
 */
export const trackHandover = ({ process }: Worker): (() => void) => {
  let last: Closable | undefined
  // oxlint-disable-next-line unbound-method -- the proxy applies it to its own receiver
  process.send = new Proxy(process.send, {
    apply: (send, child, args) => {
      const handle: unknown = args[1]
      if (isClosable(handle)) last = handle
      return Reflect.apply(send, child, args)
    }
  })
  return () => last?.close()
}
