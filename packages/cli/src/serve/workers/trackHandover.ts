/** Connections on their way to a worker, which must not stay open when it dies before it has them. */
import type { Worker } from "node:cluster"

type Closable = { readonly close: () => void }

const isClosable = (handle: unknown): handle is Closable =>
  typeof handle === "object" && handle !== null && "close" in handle && typeof handle.close === "function"

/**
 * node:cluster keeps its copy of a connection until the worker says that it has it, for ever where the worker dies first: its
 * caller would wait for an answer that nobody gives. One connection at a time is on its way to a worker. Answers with what closes it;
 * closing what was closed before does nothing.
 */
export const trackHandover = ({ process }: Worker): (() => void) => {
  let last: Closable | undefined
  // oxlint-disable-next-line unbound-method -- it is applied to what it is called on
  process.send = new Proxy(process.send, {
    apply: (send, child, args) => {
      const handle: unknown = args[1]
      if (isClosable(handle)) last = handle
      return Reflect.apply(send, child, args)
    }
  })
  return () => last?.close()
}
