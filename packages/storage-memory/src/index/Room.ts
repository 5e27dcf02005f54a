/** Where the numbers of a run are, and room for more of them: a typed array, which the garbage collector does not look into or copy. */

/** A run has at most so many entries. */
export const RUN_LIMIT = 1024

/** Twice the room for the same numbers, but no more than for `limit`. */
export const longer = (numbers: Float64Array, limit: number): Float64Array => {
  const room = new Float64Array(Math.min(2 * numbers.length, limit))
  room.set(numbers)
  return room
}
