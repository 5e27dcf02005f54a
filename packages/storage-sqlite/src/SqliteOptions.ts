/** The options of a store in one SQLite file. */
import type { DriverOption } from "./connection/chosenDriver.js"
import type { Durability } from "./base/Durability.js"

/** Which file to open, and how. */
export type SqliteOptions = DriverOption & {
  /** The file. If it does not exist, it is created, readable by its owner only. */
  readonly filename: string
  /**
   * "full" (the default): an acknowledged write survives a power cut. "relaxed": it survives the
   * end of the process; a power cut may lose the last writes. Neither ever stores half a write.
   */
  readonly durability?: Durability
  /**
   * How long a write, or opening, waits for other processes before it fails as `Busy`: 5,000 ms.
   */
  readonly busyMs?: number
  /** The same for the direct API, which blocks the event loop while it waits: 40 ms. */
  readonly directBusyMs?: number
  /**
   * The most pages of 2,048 bytes that the file may have; writes beyond fail as `Full`. No limit by
   * default.
   */
  readonly maxPages?: number
  /**
   * How large the log may grow while another process has a long read transaction. Beyond it, writes
   * fail as `Busy`. 268,435,456 bytes (256 MiB) by default.
   */
  readonly maxLogBytes?: number
  /**
   * Whether a file of an earlier schema is migrated, without a backup and without a way back. No
   * other connection may have it open then. By default such a file is refused as `OlderVersion`;
   * the function `upgrade` makes a backup first.
   */
  readonly upgrade?: boolean
}

/** The defaults of the options. */
export const DEFAULTS = {
  durability: "full",
  busyMs: 5_000,
  directBusyMs: 40,
  maxPages: 0,
  maxLogBytes: 256 * 2 ** 20,
  upgrade: false
} as const
