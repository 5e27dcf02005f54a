/** The types of columns. */
export const text = { type: "text" } as const
export const integer = { type: "integer" } as const
export const boolean = { type: "boolean", values: [false, true] } as const
export const optionalText = { type: "text", optional: true } as const
export const optionalInteger = { type: "integer", optional: true } as const
export const optionalImage = { type: "image", optional: true } as const
export const reference = (references: string) => ({ type: "integer", references }) as const
