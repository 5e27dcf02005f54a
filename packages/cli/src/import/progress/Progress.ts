/**
 * The progress file: a write-ahead log of an import, one JSON object a line. Rows are announced in
 * blocks, which are written and synced before the first row of the block is sent. So after a crash
 * every row is one of: settled (its outcome is in the file), in doubt (announced without an
 * outcome, so it may or may not have been loaded), or not sent yet.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { lock } from "./lock.js"
import {
  type Block,
  type Checkpoint,
  checkpointOf,
  type Entry,
  type LoadedRow,
  type RefusedLine
} from "./Checkpoint.js"
import { difference, type ImportJob } from "./ImportJob.js"

type Header = ImportJob & { readonly petstoreImport: 1; readonly run: string }

/** The file does not belong to this import. */
export class ProgressMismatch extends Error {
  override readonly name = "ProgressMismatch"
}

export class Progress {
  readonly file: string
  /** Identifies this import. An import that continues keeps its id. */
  readonly run: string
  readonly checkpoint: Checkpoint
  readonly #fd: number
  readonly #unlock: () => void

  private constructor(
    file: string,
    fd: number,
    unlock: () => void,
    run: string,
    checkpoint: Checkpoint
  ) {
    this.file = file
    this.#fd = fd
    this.#unlock = unlock
    this.run = run
    this.checkpoint = checkpoint
  }

  /**
   * Opens or creates a progress file and reads its entries, or drops them to `restart`. Throws
   * {@link ProgressMismatch} for the file of another import and for a file that is no progress
   * file, and `ImportLocked` while another process uses it. The file is not changed then.
   */
  static open(file: string, job: ImportJob, newRun: () => string, restart = false): Progress {
    const unlock = lock(file)
    try {
      return Progress.#openLocked(file, unlock, job, newRun, restart)
    } catch (cause) {
      unlock()
      throw cause
    }
  }

  static #openLocked(
    file: string,
    unlock: () => void,
    job: ImportJob,
    newRun: () => string,
    restart: boolean
  ): Progress {
    const text = contentOf(file)
    // without a last line that a crash cut short
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    const [first, ...all] = whole === "" ? [] : whole.trimEnd().split("\n")
    const rest = restart ? [] : all
    const header = first === undefined ? undefined : headerOf(file, first)
    if (header === undefined && !HEADER_START.startsWith(text.slice(0, HEADER_START.length)))
      throw notProgress(file)
    // a file without entries can be used for any import
    const continues = header !== undefined && rest.length > 0
    if (continues) checkSame(file, header, job)
    const checkpoint = checkpointOf(entriesOf(file, rest), job.rows)
    const fd = openSync(file, "a", 0o600)
    ftruncateSync(fd, continues ? Buffer.byteLength(whole) : 0)
    const run = continues ? header.run : newRun()
    const progress = new Progress(file, fd, unlock, run, checkpoint)
    if (!continues) progress.#append({ petstoreImport: 1, run, ...job })
    return progress
  }

  /** Records durably that rows up to `upTo` may be sent from now on. */
  announce(block: Block): void {
    this.#append(block)
    fdatasyncSync(this.#fd)
  }

  settle(outcome: LoadedRow | RefusedLine): void {
    this.#append(outcome)
  }

  /** The loaded pets above this id. */
  petsAbove(id: number): ReadonlySet<number> {
    const pets = new Set<number>()
    for (const line of readFileSync(this.file, "utf8").trimEnd().split("\n").slice(1)) {
      const entry: Entry = JSON.parse(line)
      if ("pet" in entry && entry.pet > id) pets.add(entry.pet)
    }
    return pets
  }

  close(): void {
    fdatasyncSync(this.#fd)
    closeSync(this.#fd)
    this.#unlock()
  }

  #append(entry: Entry | Header): void {
    writeSync(this.#fd, `${JSON.stringify(entry)}\n`)
  }
}

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return ""
    throw cause
  }
}

const notProgress = (file: string) =>
  new ProgressMismatch(
    `${file} is not a progress file of petstore import; name another with --progress`
  )

/** The first characters of every progress file. A crash may have cut them short. */
const HEADER_START = '{"petstoreImport":1,'

const entriesOf = (file: string, lines: ReadonlyArray<string>): ReadonlyArray<Entry> => {
  try {
    return lines.map((line) => JSON.parse(line))
  } catch {
    throw notProgress(file)
  }
}

const headerOf = (file: string, line: string): Header => {
  try {
    const header: Header = JSON.parse(line)
    if (header.petstoreImport === 1) return header
  } catch {
    // falls through to the error below
  }
  throw notProgress(file)
}

const checkSame = (file: string, header: Header, job: ImportJob): void => {
  const other = difference(header, job)
  if (other === undefined) return
  throw new ProgressMismatch(
    `${file} is the progress of an import with ${other}; --progress FILE keeps this one ` +
      "apart, --restart forgets that one and loads every line"
  )
}
