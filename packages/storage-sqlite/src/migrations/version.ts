/**
 * The `user_version` of a file: its low byte is the schema, the higher bytes are a session.
 *
 * A session is a random number. The first write to a file whose log is empty sets a new one, and
 * file and log both have it: a log with another session belongs to another file, or to another
 * state of this one. Files of the schemas 1 to 4 have no session: theirs is 0.
 */
import { randomInt } from "node:crypto"
import type { Connection } from "../driver/Driver.js"
import { FIRST_MARKER, STEPS } from "./steps.js"

/** "PtSt": the `application_id` of a store. */
export const APPLICATION_ID = 0x50745374

/** The first schema whose files have sessions. */
const FIRST_WITH_SESSIONS = 5

/** The first schema that stores last ids in `last_ids`; before, they were in `sqlite_sequence`. */
export const FIRST_WITH_LAST_IDS = 3

const SESSIONS = 2 ** 23

/** The schema of a `user_version`. */
export const schemaOf = (userVersion: number): number => userVersion & 0xff

/** The session of a `user_version`; 0 for none. */
export const sessionOf = (userVersion: number): number => userVersion >>> 8

/** A `user_version` with a new session. */
export const newUserVersion = (schema: number): number =>
  schema < FIRST_WITH_SESSIONS ? schema : randomInt(1, SESSIONS) * 256 + schema

export const userVersionOf = (file: Connection): number => Number(file.pragma("user_version"))

/** Gives the file a new session. */
export const renewSession = (file: Connection): void => {
  file.pragma(`user_version = ${newUserVersion(schemaOf(userVersionOf(file)))}`)
}

/** The schema of a file by its tables and indexes; 0 if it has no tables of a store. */
export const schemaByTables = (file: Connection): number => {
  const has = file.values("SELECT 1 FROM sqlite_schema WHERE name = ?")
  const markers = [FIRST_MARKER, ...STEPS.map(({ marker: sign }) => sign)]
  return markers.findLastIndex((sign) => has.get(sign) !== undefined) + 1
}
