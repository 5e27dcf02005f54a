/**
 * The history of a file, as it is stored in the file. Times are in milliseconds since 1970;
 * undefined means unknown or never.
 */
export type About = {
  readonly createdMs: number | undefined
  readonly upgradedMs: number | undefined
  readonly restoredMs: number | undefined
  readonly lastBackupMs: number | undefined
}
