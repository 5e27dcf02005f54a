/** Brings a file's schema up to date: forward only, one transaction for each step, the write lock taken first. */
import { StorageError } from "@petstore/core"
import type { Database } from "better-sqlite3"
import { shop } from "./0001_shop.js"
import { fewerLists } from "./0002_fewer_lists.js"

/** "PtSt": tells our files from other applications'. */
export const APPLICATION_ID = 0x50745374

/** Step n leads from schema n to schema n + 1. */
const STEPS: ReadonlyArray<string> = [shop, fewerLists]

/** The schema this version writes, kept in the file as its `user_version`. */
export const SCHEMA_VERSION = STEPS.length

const versionOf = (file: Database): number => Number(file.pragma("user_version", { simple: true }))

/** Runs the steps that are missing. Another process may be doing the same: whoever comes second finds nothing to do. */
export const migrate = (file: Database): void => {
  if (versionOf(file) > SCHEMA_VERSION) {
    throw new StorageError({ reason: "NewerVersion", detail: `${file.name} was written by a newer version` })
  }
  for (let version = versionOf(file); version < SCHEMA_VERSION; version = versionOf(file)) {
    file
      .transaction(() => {
        const found = versionOf(file)
        const step = STEPS[found]
        if (step === undefined) return
        file.exec(step)
        file.pragma(`application_id = ${APPLICATION_ID}`)
        file.pragma(`user_version = ${found + 1}`)
      })
      .immediate()
  }
}
