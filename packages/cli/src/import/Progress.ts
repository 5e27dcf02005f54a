/**
 * The progress file: what an import meant to send and what became of it, one JSON object a line,
 * appended as it happens. Rows are meant in blocks, written and synced before the first of a block
 * is sent. So after any crash every row is one of: settled (its outcome is in the file), doubtful
 * (meant, no outcome: it may or may not have been loaded), or not yet sent.
 */
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import { lock } from "./lock.js"
import { type Block, type Entry, type Loaded, type Past, pastOf, type RefusedLine } from "./Past.js"
import { difference, type Undertaking } from "./Undertaking.js"

type Header = Undertaking & { readonly petstoreImport: 1; readonly run: string }
/** The file can't be gone on with, and why. */
export class ForeignProgress extends Error {
  override readonly name = "ForeignProgress"
}

export class Progress {
  readonly file: string
  /** Names this import among all others; the same when it is gone on with. */
  readonly run: string
  readonly past: Past
  readonly #fd: number
  readonly #unlock: () => void

  private constructor(file: string, fd: number, unlock: () => void, run: string, past: Past) {
    this.file = file
    this.#fd = fd
    this.#unlock = unlock
    this.run = run
    this.past = past
  }

  /**
   * Opens or starts a progress file, and reads what it says, or forgets it to `restart`. Throws
   * {@link ForeignProgress} for the file of another import and for what is no progress file, `Held`
   * while another process works on it; nothing of it is changed then.
   */
  static open(file: string, undertaking: Undertaking, newRun: () => string, restart = false): Progress {
    const unlock = lock(file)
    try {
      return Progress.#opened(file, unlock, undertaking, newRun, restart)
    } catch (cause) {
      unlock()
      throw cause
    }
  }

  static #opened(
    file: string,
    unlock: () => void,
    undertaking: Undertaking,
    newRun: () => string,
    restart: boolean
  ): Progress {
    const text = contentOf(file)
    const whole = text.slice(0, text.lastIndexOf("\n") + 1) // a last line cut short by a crash does not count
    const [first, ...all] = whole === "" ? [] : whole.trimEnd().split("\n")
    const rest = restart ? [] : all
    const header = first === undefined ? undefined : headerOf(file, first)
    if (header === undefined && !BEGINNING.startsWith(text.slice(0, BEGINNING.length)))
      throw notProgress(file)
    const begun = header !== undefined && rest.length > 0 // where nothing was meant yet, anything may be begun
    if (begun) checkSame(file, header, undertaking)
    const past = pastOf(entriesOf(file, rest), undertaking.rows)
    const fd = openSync(file, "a", 0o600)
    ftruncateSync(fd, begun ? Buffer.byteLength(whole) : 0)
    const run = begun ? header.run : newRun()
    const progress = new Progress(file, fd, unlock, run, past)
    if (!begun) progress.#append({ petstoreImport: 1, run, ...undertaking })
    return progress
  }

  /** Says, durably, that rows up to `upTo` may now be sent. */
  mean(block: Block): void {
    this.#append(block)
    fdatasyncSync(this.#fd)
  }

  settle(outcome: Loaded | RefusedLine): void {
    this.#append(outcome)
  }

  /** The pets above this id that the file says were loaded. */
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
  new ForeignProgress(`${file} is not a progress file of petstore import; name another with --progress`)

/** How a progress file begins, even one that was cut short. */
const BEGINNING = '{"petstoreImport":1,'

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
    // said below
  }
  throw notProgress(file)
}

const checkSame = (file: string, header: Header, undertaking: Undertaking): void => {
  const other = difference(header, undertaking)
  if (other === undefined) return
  throw new ForeignProgress(
    `${file} is the progress of an import with ${other}; --progress FILE keeps this one apart, --restart forgets that one and loads every line`
  )
}
