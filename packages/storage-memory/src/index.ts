/** Pet store storage in memory. */
export { MemoryStorage } from "./MemoryStorage.js"
