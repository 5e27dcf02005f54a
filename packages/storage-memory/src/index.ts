/** Pet store storage in memory, and a store for tests. */
export { MemoryStorage } from "./MemoryStorage.js"
export { Crashed, type Fault } from "./testing/Faults.js"
export type { Instant, Span } from "./testing/time.js"
export {
  openTestStore,
  type Snapshot,
  type TestStore,
  type TestStoreOptions,
  type WithHeaders
} from "./testing/TestStore.js"
