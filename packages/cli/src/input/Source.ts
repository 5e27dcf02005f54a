/** A file that is read more than once. What can be read only once is copied aside first. */
import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdtempSync,
  open,
  openSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { addAbortSignal, type Readable } from "node:stream"
import { promisify } from "node:util"

export type Source = {
  /** All of it, from its beginning, each time. */
  readonly bytes: () => AsyncIterable<Uint8Array>
  /**
   * Whether it is a copy of what could be read only once, so that no file stays behind that it
   * names.
   */
  readonly copied: boolean
  /** Forgets the copy, if there is one. */
  readonly close: () => void
}

/**
 * Opens a file, or standard input for `-`. A pipe, a device, and what is named below /dev or /proc
 * is read to its end into a temporary file (mode 0600), which has no name while it is in use and so
 * is gone when the process is, however that ends. Rejects with the system's error where it can't be
 * read, and once `signal` is aborted.
 */
export const openSource = async (file: string, signal: AbortSignal): Promise<Source> =>
  isPassing(file)
    ? copyOf(await passing(file), signal)
    : { bytes: () => createReadStream(file), copied: false, close: () => undefined }

const STANDARD_INPUT: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])

const isPassing = (file: string): boolean => {
  if (STANDARD_INPUT.has(file)) return true
  const stats = statSync(file)
  return !(stats.isFile() || stats.isDirectory()) || /^\/(dev|proc)\//.test(file)
}

/**
 * Standard input may be a socket, which can't be opened by name; a pipe can be given up while it is
 * waited for.
 */
const passing = async (file: string): Promise<Readable> => {
  if (STANDARD_INPUT.has(file)) return process.stdin
  const fd = await promisify(open)(file, "r")
  return fstatSync(fd).isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream("", { fd })
}

const copyOf = async (bytes: Readable, signal: AbortSignal): Promise<Source> => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-"))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  let fd: number | undefined
  const close = () => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
    removeFolder()
  }
  try {
    const copy = openSync(join(folder, "copy"), "wx+", 0o600)
    fd = copy
    if (process.platform !== "win32") removeFolder() // where an open file may not be removed, `close` does
    for await (const piece of addAbortSignal(signal, bytes)) writeWhole(copy, piece)
    return {
      bytes: () => createReadStream("", { fd: copy, start: 0, autoClose: false }),
      copied: true,
      close
    }
  } catch (cause) {
    close()
    throw cause
  }
}

const writeWhole = (fd: number, piece: Uint8Array): void => {
  for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
}
