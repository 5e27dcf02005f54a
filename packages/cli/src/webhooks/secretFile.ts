/**
 * The secret that signing secrets of webhooks are derived from. It is in a file beside the store
 * that only its owner can read, and not in the store.
 */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import process from "node:process"
import type { WebhookOptions } from "@petstore/core"
import { CommandFailed } from "../CommandFailed.js"
import { secretOf } from "../secret.js"
import { notice } from "../terminal/StatusLine.js"

/** `file` is the option; undefined for the file beside the store. */
export type SecretOptions = { readonly db: string; readonly file: string | undefined }

const VARIABLE = "PETSTORE_WEBHOOK_SECRET"

const SECRET_BYTES = 32

const MIN_LENGTH = 24

/** The default file of the secret. */
export const secretFileOf = (db: string): string => `${db}.webhook-secret`

const pathOf = ({ db, file }: SecretOptions): string => file ?? secretFileOf(db)

/** The message has neither the secret nor the error of the system. */
const secretFailure = (path: string, what: string): CommandFailed =>
  CommandFailed.because(`the secret for webhooks, ${path}, ${what}`, "webhook_secret")

const readSecret = (path: string): string => {
  const secret = secretOf(contentOf(path))
  if (secret === undefined || secret.length < MIN_LENGTH)
    throw secretFailure(
      path,
      `is too short: it needs at least ${MIN_LENGTH} characters on one line`
    )
  return secret
}

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    throw secretFailure(path, "can't be read")
  }
}

/** Windows has no such mode bits. */
const warnOfReaders = (path: string): void => {
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
    notice(`petstore: others can read ${path}: chmod 600 it`)
}

const secretOfVariable = ({ file }: SecretOptions): string | undefined => {
  const secret = file === undefined ? secretOf(process.env[VARIABLE]) : undefined
  if (secret === undefined) return undefined
  if (secret.length < MIN_LENGTH)
    throw CommandFailed.because(
      `${VARIABLE} is too short: it needs at least ${MIN_LENGTH} characters`,
      "webhook_secret"
    )
  return secret
}

/** Reads the secret when it is needed, so that a file is found that is created later. */
export const readableSecret = (options: SecretOptions): NonNullable<WebhookOptions["secret"]> => {
  let secret = secretOfVariable(options)
  const path = pathOf(options)
  return () => {
    if (secret === undefined && existsSync(path)) {
      warnOfReaders(path)
      secret = readSecret(path)
    }
    return secret
  }
}

/** Returns the secret and creates its file if needed. Of two processes only one creates it. */
export const ensureSecret = (options: SecretOptions): string => {
  const read = readableSecret(options)
  const path = pathOf(options)
  const secret = typeof read === "function" ? read() : read
  if (secret !== undefined) return secret
  try {
    writeFileSync(path, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, {
      flag: "wx",
      mode: 0o600
    })
    notice(
      `petstore: made ${path}, from which secrets of webhooks are made; keep a copy apart ` +
        "from backups"
    )
  } catch {
    if (!existsSync(path)) throw secretFailure(path, "can't be written")
  }
  return readSecret(path)
}
