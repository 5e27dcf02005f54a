/** Pet store storage in one SQLite file. */
export { backup, type BackupOptions, type BackupProgress } from "./copy/backup.js"
export type { CarriedOver, NotCarriedOver } from "./shop/CarriedOver.js"
export type { CopyProgress } from "./copy/CopyProgress.js"
export { restore, type Restored, type RestoreOptions } from "./copy/restore.js"
export { upgrade, type Upgraded, type UpgradeOptions } from "./copy/upgrade.js"
export type { DriverName } from "./driver/Driver.js"
export type { DriverOption } from "./connection/chosenDriver.js"
export { type DriverInfo, driverInfo } from "./driverInfo.js"
export type { Durability } from "./base/Durability.js"
export type { SqliteOptions } from "./SqliteOptions.js"
export { SqliteStorage } from "./SqliteStorage.js"
export type { About } from "./status/About.js"
export { status } from "./status/status.js"
export type {
  BannedCaller,
  CallerNearLimit,
  ExpiringKey,
  StatusOptions,
  StoreContents,
  StoreCounts,
  StoreStatus,
  FileInfo,
  WebhookBehind
} from "./status/StoreStatus.js"
export { checkMissing } from "./connection/checkFile.js"
export type { ProcessInfo } from "./connection/ProcessInfo.js"
export type { Finding } from "./verify/Finding.js"
export { verify, type VerifyOptions } from "./verify.js"
