/** How what core names is named in SQL. */

/** camelCase as snake_case. */
export const sqlName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * An index, or the part of it that has one value of a column; its name in core is its own only
 * within its collection.
 */
export const indexName = (collection: string, index: string, part?: number): string =>
  `${sqlName(collection)}_${index}${part === undefined ? "" : `_${part}`}`

/**
 * The column that a folded text is written to where SQLite can't derive it. Queries use the column
 * that the table derives from this one.
 */
export const FOLDING = "folding"
