/**
 * What a file says of itself in `user_version`: in its low byte the schema, above it a session.
 *
 * A session is a random number that the first write to a file without a log gives it, so that the
 * file and its log both tell which state of which file they belong to. Files of the schemas 1 to 4
 * have none: theirs is 0.
 */
import { randomInt } from "node:crypto"
import type { Connection } from "../driver/Driver.js"
import { FIRST_SIGN, STEPS } from "./steps.js"

/** "PtSt": tells our files from other applications'. */
export const APPLICATION_ID = 0x50745374

/** The first schema whose files have sessions. */
const FIRST_WITH_SESSIONS = 5

/**
 * From this schema on the last ids are noted in `last_ids`; before, SQLite kept them for itself.
 */
export const FIRST_WITH_LAST_IDS = 3

const SESSIONS = 2 ** 23

/** The schema that a `user_version` tells of. */
export const schemaOf = (userVersion: number): number => userVersion & 0xff

/** The session that a `user_version` tells of; 0 for none. */
export const sessionOf = (userVersion: number): number => userVersion >>> 8

/** The `user_version` of a file that begins a session of its own. */
export const newUserVersion = (schema: number): number =>
  schema < FIRST_WITH_SESSIONS ? schema : randomInt(1, SESSIONS) * 256 + schema

export const userVersionOf = (file: Connection): number => Number(file.pragma("user_version"))

/** Gives the file a session of its own. */
export const renewSession = (file: Connection): void => {
  file.pragma(`user_version = ${newUserVersion(schemaOf(userVersionOf(file)))}`)
}

/** The schema that a file has by its tables and indexes; 0 where it has none of ours. */
export const schemaByTables = (file: Connection): number => {
  const has = file.values("SELECT 1 FROM sqlite_schema WHERE name = ?")
  const signs = [FIRST_SIGN, ...STEPS.map(({ sign }) => sign)]
  return signs.findLastIndex((sign) => has.get(sign) !== undefined) + 1
}
