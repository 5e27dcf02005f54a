/** What is weighed, and what it may weigh, minified and gzipped, effect included. */

type Program = { readonly source: string; readonly limitBytes: number }

const CORE = 'export { PetStore } from "@petstore/core"'
const STORAGE = 'export { MemoryStorage } from "@petstore/storage-memory"'
const HANDLER = 'export { toWebHandler } from "@petstore/http-adapter/web"'

export const PROGRAMS: Readonly<Record<string, Program>> = {
  "@petstore/core": { source: CORE, limitBytes: 120_000 },
  "… and storage in memory": { source: `${CORE}\n${STORAGE}`, limitBytes: 120_000 },
  "… and the web handler": { source: `${CORE}\n${STORAGE}\n${HANDLER}`, limitBytes: 200_000 }
}
