/** The steps that operations on keys share. */
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, get } from "../../engine/program/requests.js"
import { insertRow, replaceRow } from "../../engine/program/rows.js"
import { NotFound } from "../../engine/operation/errors.js"
import { keyStanding } from "./KeyStanding.js"
import { keyStart } from "./KeyText.js"
import type { KnownKey } from "./presentKey.js"
import { type KeyRow, keys, keyUses } from "./rows.js"
import { sha256 } from "./Sha256.js"

export const findKey = (id: number): ReadProgram<KeyRow, NotFound> =>
  find(keys, id, () => new NotFound({ kind: "key", id }))

/** The key with the time of its last use. */
export function* withUse(row: KeyRow): ReadProgram<KnownKey> {
  return { row, usedMs: (yield* get(keyUses, row.id))?.usedMs }
}

/** Stores a new key. Only the digest of its text is stored. */
export function* issueKey(
  text: string,
  nowMs: number,
  fields: Pick<KeyRow, "accountId" | "name" | "expiresMs" | "disabled">
) {
  const row = yield* insertRow(keys, {
    ...fields,
    digest: sha256(text),
    start: keyStart(text),
    createdMs: nowMs,
    revokedMs: null
  })
  return { row, text }
}

export function* changeKey(key: KeyRow, changes: Partial<KeyRow>) {
  return yield* withUse(yield* replaceRow(keys, key, changes))
}

export function* setDisabled(id: number, disabled: boolean) {
  return yield* changeKey(yield* findKey(id), { disabled })
}

/** The key, unless it has expired or is revoked. It may be disabled. */
export const unended = (key: KeyRow, nowMs: number) =>
  keyStanding(
    { expiresMs: key.expiresMs, revokedMs: key.revokedMs, disabled: false as const },
    nowMs
  )
