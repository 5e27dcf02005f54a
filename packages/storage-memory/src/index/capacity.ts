/**
 * The capacity of sorted chunks, in typed arrays: the garbage collector neither scans nor copies
 * them.
 */

/** The maximum number of entries in a sorted chunk. */
export const CHUNK_CAPACITY = 1024

/** A copy of the numbers with twice the capacity, and at most `limit`. */
export const grow = (numbers: Float64Array, limit: number): Float64Array => {
  const grown = new Float64Array(Math.min(2 * numbers.length, limit))
  grown.set(numbers)
  return grown
}
