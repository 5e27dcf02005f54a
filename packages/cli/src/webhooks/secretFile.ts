/** The secret that those of webhooks are made from: in a file beside the store that only its owner reads, and nowhere else. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import process from "node:process"
import type { WebhookOptions } from "@petstore/core"
import { CommandFailed } from "../CommandFailed.js"
import { secretOf } from "../secret.js"
import { notice } from "../terminal/StatusLine.js"

/** Which secret: `file` as it was asked for; undefined for the one beside the store. */
export type SecretOptions = { readonly db: string; readonly file: string | undefined }

const VARIABLE = "PETSTORE_WEBHOOK_SECRET"

const SECRET_BYTES = 32

const MIN_LENGTH = 24

/** The file beside a store that has its secret, unless another one was named. */
export const secretFileOf = (db: string): string => `${db}.webhook-secret`

const pathOf = ({ db, file }: SecretOptions): string => file ?? secretFileOf(db)

/** What goes wrong is said without the secret, and without what the system says of files. */
const failed = (path: string, what: string): CommandFailed =>
  CommandFailed.because(`the secret for webhooks, ${path}, ${what}`, "webhook_secret")

const readSecret = (path: string): string => {
  const secret = secretOf(contentOf(path))
  if (secret === undefined || secret.length < MIN_LENGTH)
    throw failed(path, `is too short: it needs at least ${MIN_LENGTH} characters on one line`)
  return secret
}

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    throw failed(path, "can't be read")
  }
}

/** Readable by others is as good as known to them. Windows has no such bits. */
const warnOfReaders = (path: string): void => {
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
    notice(`petstore: others can read ${path}: chmod 600 it`)
}

const given = ({ file }: SecretOptions): string | undefined => {
  const secret = file === undefined ? secretOf(process.env[VARIABLE]) : undefined
  if (secret === undefined) return undefined
  if (secret.length < MIN_LENGTH)
    throw CommandFailed.because(
      `${VARIABLE} is too short: it needs at least ${MIN_LENGTH} characters`,
      "webhook_secret"
    )
  return secret
}

/** For commands that need no secret unless there is one; a file that is made later is found then. */
export const knownSecret = (options: SecretOptions): NonNullable<WebhookOptions["secret"]> => {
  let known = given(options)
  const path = pathOf(options)
  return () => {
    if (known === undefined && existsSync(path)) {
      warnOfReaders(path)
      known = readSecret(path)
    }
    return known
  }
}

/** For commands that make a webhook: the file is made if it is not there, which of two at once only one does. */
export const madeSecret = (options: SecretOptions): string => {
  const known = knownSecret(options)
  const path = pathOf(options)
  const secret = typeof known === "function" ? known() : known
  if (secret !== undefined) return secret
  try {
    writeFileSync(path, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, { flag: "wx", mode: 0o600 })
    notice(`petstore: made ${path}, from which secrets of webhooks are made; keep a copy apart from backups`)
  } catch {
    if (!existsSync(path)) throw failed(path, "can't be written")
  }
  return readSecret(path)
}
