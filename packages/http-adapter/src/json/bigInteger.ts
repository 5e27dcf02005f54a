/** Integers with too many digits to be summed up exactly. */

/** The digits of the largest and the smallest int64. */
const MAX_INT64 = "9223372036854775807"
const MIN_INT64 = "9223372036854775808"

/** Rounded within int64, infinite beyond. `digits` have no sign and no leading zero. */
export const bigInteger = (digits: string, negative: boolean): number => {
  const limit = negative ? MIN_INT64 : MAX_INT64
  const fits = digits.length < limit.length || (digits.length === limit.length && digits <= limit)
  const size = fits ? Number(digits) : Number.POSITIVE_INFINITY
  return negative ? -size : size
}
