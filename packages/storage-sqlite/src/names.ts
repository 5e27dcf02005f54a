/** How what core names is named in SQL. */

/** camelCase as snake_case. */
export const sqlName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An index; its name in core is its own only within its collection. */
export const indexName = (collection: string, index: string): string => `${sqlName(collection)}_${index}`
