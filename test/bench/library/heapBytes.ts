/**
 * What V8 keeps after a collection, and what typed arrays keep beside it. Exact with `--expose-gc`
 * only.
 */
export const heapBytes = (): number => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
