import { MemoryStorage } from "@petstore/storage-memory"
import { directSuite, suite } from "./suite.js"

suite("storage in memory", MemoryStorage.layer)
directSuite("storage in memory", MemoryStorage.layer)
