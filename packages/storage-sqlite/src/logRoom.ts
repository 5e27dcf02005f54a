/** Gives the write-ahead log room ahead of its use: a sync after which a file is longer takes twice as long as one of what was overwritten. */
import { closeSync, constants, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs"
import { FRAME_HEADER_BYTES, LOG_HEADER_BYTES } from "./FileHeader.js"
import { isLongerThan } from "./isLongerThan.js"

/** The room is looked at once in so many commits, and so never by a command that commits a few times. */
const COMMITS_BETWEEN_LOOKS = 8

/** The same where there is enough room: it lasts for about as many. */
const COMMITS_WITH_ROOM = 16

/** The same of a log that has all its room, and where a look failed: it may be made anew, by others. */
const COMMITS_AT_LENGTH = 256

/**
 * Room is made by so much at a time, and there shall be as much at each look. That stops one write for 0.7 ms and lasts for a
 * dozen. A log that took more than this since the last look has large commits in it: zeros for those would cost more than
 * their syncs are spared.
 */
const PIECE_BYTES = 256 * 1024

/**
 * Lengthens the log by zeros, as far as `mostBytes`, where little of it is unused. Must be called with the write lock held and
 * nothing written: then nobody else lengthens, cuts back or recovers the log. To SQLite zeros are the end of it. Never throws;
 * where a piece can't be written, as on a full disk, it does not try again.
 */
export const logRoom = (path: string, mostBytes: number): (() => void) => {
  if (mostBytes < PIECE_BYTES) return () => undefined
  let untilLook = COMMITS_BETWEEN_LOOKS
  let sizeBefore = 0
  let isPossible = true

  /** Answers after how many commits to look again. */
  const look = (): number => {
    if (isLongerThan(path, mostBytes - PIECE_BYTES)) return COMMITS_AT_LENGTH
    const { size } = statSync(path)
    const grownBy = size - sizeBefore
    sizeBefore = size
    if (size <= LOG_HEADER_BYTES || grownBy > PIECE_BYTES) return COMMITS_BETWEEN_LOOKS
    // By its name each time, as it may have been made anew. The locks of SQLite are on other files: closing this one gives up none.
    const log = openSync(path, constants.O_RDWR | constants.O_APPEND)
    try {
      if (!isInUse(log, size - PIECE_BYTES)) return COMMITS_WITH_ROOM
      isPossible = lengthen(log, size)
      if (isPossible) sizeBefore += PIECE_BYTES
      return COMMITS_BETWEEN_LOOKS
    } finally {
      closeSync(log)
    }
  }

  return () => {
    if (!isPossible || --untilLook > 0) return
    try {
      untilLook = look()
    } catch {
      untilLook = COMMITS_AT_LENGTH
    }
  }
}

/** Whether the frame at `at` is one of this log, by its salt: what is left of an earlier one has another, and zeros have none. */
const isInUse = (log: number, at: number): boolean => {
  const header = read(log, LOG_HEADER_BYTES, 0)
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8)
  const frames = Math.max(0, Math.floor((at - LOG_HEADER_BYTES) / frameBytes))
  const frame = read(log, FRAME_HEADER_BYTES, LOG_HEADER_BYTES + frames * frameBytes)
  return frame.subarray(8, 16).equals(header.subarray(16, 24))
}

const read = (log: number, bytes: number, from: number): Buffer => {
  const into = Buffer.alloc(bytes)
  return into.subarray(0, readSync(log, into, 0, bytes, from))
}

/** Appends a piece and answers whether it could. What was written of it otherwise is cut off again. */
const lengthen = (log: number, size: number): boolean => {
  let written = 0
  try {
    written = writeSync(log, Buffer.alloc(PIECE_BYTES))
  } catch {
    // There is no room for a byte of it.
  }
  if (written < PIECE_BYTES) ftruncateSync(log, size)
  return written === PIECE_BYTES
}
