/**
 * SQLite's result codes and their names (https://www.sqlite.org/rescode.html). An extended code has
 * a primary one in its low byte, and its place among the extensions of that one above it.
 */

const PRIMARY = [
  "OK",
  "ERROR",
  "INTERNAL",
  "PERM",
  "ABORT",
  "BUSY",
  "LOCKED",
  "NOMEM",
  "READONLY",
  "INTERRUPT",
  "IOERR",
  "CORRUPT",
  "NOTFOUND",
  "FULL",
  "CANTOPEN",
  "PROTOCOL",
  "EMPTY",
  "SCHEMA",
  "TOOBIG",
  "CONSTRAINT",
  "MISMATCH",
  "MISUSE",
  "NOLFS",
  "AUTH",
  "FORMAT",
  "RANGE",
  "NOTADB",
  "NOTICE",
  "WARNING"
] as const

type Primary = (typeof PRIMARY)[number]

/** In the order of their numbers, the first of which is 1. */
const EXTENSIONS: { readonly [Code in Primary]?: string } = {
  ERROR: "MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE",
  ABORT: "- ROLLBACK",
  BUSY: "RECOVERY SNAPSHOT TIMEOUT",
  LOCKED: "SHAREDCACHE VTAB",
  READONLY: "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
  IOERR: `READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM
    ACCESS CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT
    MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS
    IN_PAGE BADKEY CODEC`,
  CORRUPT: "VTAB SEQUENCE INDEX",
  CANTOPEN: "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
  CONSTRAINT: `CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID
    PINNED DATATYPE`,
  AUTH: "USER"
}

const NAMES: ReadonlyMap<number, string> = new Map(
  PRIMARY.flatMap((name, number) =>
    [name, ...(EXTENSIONS[name] ?? "").split(/\s+/).map((each) => `${name}_${each}`)].map(
      (each, nth) => [number + nth * 256, `SQLITE_${each}`] as const
    )
  )
)

const NUMBERS: ReadonlyMap<string, number> = new Map([...NAMES].map(([code, name]) => [name, code]))

/** The number of a primary code. */
export const primaryCode = (name: Primary): number => PRIMARY.indexOf(name)

/** The number of a code by its name; that of an unknown one is SQLITE_ERROR's. */
export const numberOf = (name: string): number => NUMBERS.get(name) ?? primaryCode("ERROR")

/** The name of a code; of an unknown extension, that of its primary code. */
export const nameOf = (code: number): string =>
  NAMES.get(code) ?? NAMES.get(primaryOf(code)) ?? `SQLITE_${code}`

export const primaryOf = (code: number): number => code & 0xff
