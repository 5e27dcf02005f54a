/** An input that is read more than once. A stream that can be read only once is copied first. */
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
  /** The whole input, from its start each time. */
  readonly bytes: () => AsyncIterable<Uint8Array>
  /** Whether it is a copy of a stream, which has no file name. */
  readonly copied: boolean
  /** Deletes the copy, if there is one. */
  readonly close: () => void
}

/**
 * Opens a file, or standard input for `-`. Pipes, devices and files below /dev or /proc are copied
 * into a temporary file (mode 0600). It has no name while it is in use, so it disappears with the
 * process. Rejects with the system's error if the input can't be read, and when `signal` aborts.
 */
export const openSource = async (file: string, signal: AbortSignal): Promise<Source> =>
  isStream(file)
    ? copyOf(await openStream(file), signal)
    : { bytes: () => createReadStream(file), copied: false, close: () => undefined }

const STANDARD_INPUT: ReadonlySet<string> = new Set([
  "-",
  "/dev/stdin",
  "/dev/fd/0",
  "/proc/self/fd/0"
])

const isStream = (file: string): boolean => {
  if (STANDARD_INPUT.has(file)) return true
  const stats = statSync(file)
  return !(stats.isFile() || stats.isDirectory()) || /^\/(dev|proc)\//.test(file)
}

/**
 * Standard input may be a socket, which can't be opened by name. A FIFO is read through a socket,
 * so that an abort does not wait for its writer.
 */
const openStream = async (file: string): Promise<Readable> => {
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
    // Windows can't remove an open file; `close` does
    if (process.platform !== "win32") removeFolder()
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
  for (let at = 0; at < piece.length;) at += writeSync(fd, piece, at)
}
