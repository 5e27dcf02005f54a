/** The options of a store in one SQLite file. */
import type { DriverOption } from "./connection/chosenDriver.js"
import type { Durability } from "./base/Durability.js"

/** Which file, and how it is kept. */
export type SqliteOptions = DriverOption & {
  /** The file. It is made, readable by its owner only, if it is not there. */
  readonly filename: string
  /**
   * "full" (the default): an acknowledged write survives a power cut. "relaxed": it survives the
   * end of the process; a power cut may lose the last moments. Neither ever leaves half a write.
   */
  readonly durability?: Durability
  /**
   * How long a write, or opening, waits for other processes before it fails as `Busy`: 5,000 ms.
   */
  readonly busyMs?: number
  /** The same for the direct API, which blocks the event loop while it waits: 40 ms. */
  readonly directBusyMs?: number
  /**
   * The most pages of 2,048 bytes the file may have; writes beyond fail as `Full`. No bound by
   * default.
   */
  readonly maxPages?: number
  /**
   * How large the log may grow while another process reads without end; writes are then `Busy`.
   * 268,435,456 bytes (256 MiB) by default.
   */
  readonly maxLogBytes?: number
  /**
   * Whether a file of an earlier schema is migrated, for good and without a copy; nobody else may
   * have it open then. By default it is refused as `OlderVersion`; `upgrade` makes a copy first.
   */
  readonly upgrade?: boolean
}

/** What options are where they are not given. */
export const DEFAULTS = {
  durability: "full",
  busyMs: 5_000,
  directBusyMs: 40,
  maxPages: 0,
  maxLogBytes: 256 * 2 ** 20,
  upgrade: false
} as const
