/** Where the numbers of a run are, and room for more of them. */

/** A run has at most so many entries. */
export const RUN_LIMIT = 1024

/**
 * Many numbers lie in a typed array, which the garbage collector does not copy. That weighs 200 bytes before it has any number, which is more than
 * most lists of the orders of one pet have, so few lie in a plain one.
 */
export type Numbers = Array<number> | Float64Array

const MANY = 192

export const roomFor = (count: number): Numbers =>
  count < MANY ? Array.from({ length: count }, () => 0) : new Float64Array(count)

/** Twice the room for the same numbers, but no more than for `limit`. */
export const longer = (numbers: Numbers, limit: number): Numbers => {
  const room = roomFor(Math.min(2 * numbers.length, limit))
  for (let at = 0; at < numbers.length; at++) room[at] = numbers[at] ?? 0
  return room
}
