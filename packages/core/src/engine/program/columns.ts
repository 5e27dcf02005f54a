/** The types of columns. */
import type { ImageOf } from "./Collection.js"

export const text = { type: "text" } as const
export const integer = { type: "integer" } as const
export const boolean = { type: "boolean", values: [false, true] } as const
export const optionalText = { type: "text", optional: true } as const
export const optionalInteger = { type: "integer", optional: true } as const
export const optionalImageOf = (imageOf: ImageOf) =>
  ({ type: "image", optional: true, imageOf }) as const
export const folded = (folds: string) => ({ type: "text", folds }) as const
export const reference = (references: string) => ({ type: "integer", references }) as const
