/**
 * What a file says of its own past. Times in milliseconds since 1970; undefined is what it does not
 * know.
 */
export type About = {
  readonly createdMs: number | undefined
  readonly upgradedMs: number | undefined
  readonly restoredMs: number | undefined
  readonly lastBackupMs: number | undefined
}
