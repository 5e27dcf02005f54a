/** What is weighed, and what it may weigh. */

/** Minified and gzipped, effect included. */
export const LIMIT_BYTES = 120_000

export const PROGRAMS = {
  "@petstore/core": 'export { PetStore } from "@petstore/core"',
  "… and storage in memory":
    'export { PetStore } from "@petstore/core"\nexport { MemoryStorage } from "@petstore/storage-memory"'
}
