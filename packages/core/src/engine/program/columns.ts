/** The types of columns. */
import type { Collection, Hold, ImageOf, Row } from "./Collection.js"

export const text = { type: "text" } as const
export const integer = { type: "integer" } as const
export const boolean = { type: "boolean", values: [false, true] } as const
export const optionalText = { type: "text", optional: true } as const
export const optionalInteger = { type: "integer", optional: true } as const
export const instant = { type: "integer", instant: true } as const
export const optionalInstant = { type: "integer", instant: true, optional: true } as const
export const optionalImageOf = (imageOf: ImageOf) =>
  ({ type: "image", optional: true, imageOf }) as const

/** The text of another column, folded. `insertRow` and `replaceRow` fill it in. */
export const fold = <const Of extends string>(folds: Of) => ({ type: "text", folds }) as const

/** The id of a row of a collection; `missing` makes the refusal of an id that no row has. */
export const reference = <Missing = never>(
  collection: Collection<Row>,
  missing?: (id: number) => Missing
) => ({
  type: "integer" as const,
  references: missing === undefined ? { collection } : { collection, missing }
})

/** The id of a row, or null. Rows with the values of `while` keep it from being removed. */
export const hold = (collection: Collection<Row>, hold: Hold["while"]) =>
  ({ type: "integer", optional: true, holds: { collection, while: hold } }) as const
