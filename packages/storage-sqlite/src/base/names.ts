/** Names in SQL for the names of core. */

/** camelCase becomes snake_case. */
export const sqlName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The name of an index, or of one of its partitions. It has the name of the collection in it, since
 * names of indexes are unique only within their collection.
 */
export const indexName = (collection: string, index: string, partition?: number): string =>
  `${sqlName(collection)}_${index}${partition === undefined ? "" : `_${partition}`}`

/**
 * The column that stores a folded text if SQLite can't derive it. Queries use the generated column
 * of the table, which falls back to `lower()`.
 */
export const FOLDING = "folding"
