/** Request ids: the one that the caller sent if it is safe to repeat, else a new one. */
import { mayHoldKey } from "./keyText.js"

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/** A key in the wrong field must not get into answers and logs. */
const isSafe = (sent: string): boolean => WELL_FORMED.test(sent) && !mayHoldKey(sent)

/** Makes a source of ids: unique by a counter, and between sources by 64 random bits. */
export const requestIds = (
  randomBytes: (count: number) => Uint8Array
): ((sent: string | undefined) => string) => {
  const source = Array.from(randomBytes(8), (byte) => byte.toString(36).padStart(2, "0")).join("")
  let count = 0
  return (sent) =>
    sent !== undefined && isSafe(sent) ? sent : `${source}-${(count++).toString(36)}`
}
