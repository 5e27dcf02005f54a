/** Webhooks, callers and keys that need attention. `file` is quoted for a shell. */
import type {
  BannedCaller,
  CallerNearLimit,
  ExpiringKey,
  WebhookBehind
} from "@petstore/storage-sqlite"
import { formatCount, shortTime, printable } from "../terminal/text.js"
import type { Attention, AttentionCode } from "./Attention.js"

const waiting = ({ pending, needsResync }: WebhookBehind): string =>
  needsResync
    ? "its receiver is to load the shop anew"
    : `${formatCount(pending)} ${pending === 1 ? "change waits" : "changes wait"}`

type Advice = {
  readonly code: AttentionCode
  /** The problem and what to do. */
  readonly text: (since: string, waits: string) => string
  /** The command that does it. */
  readonly verb: "enable" | "remove" | "show"
}

/** States in which nothing is sent until an operator acts. */
const STOPPED: Readonly<Record<Exclude<WebhookBehind["state"], "enabled">, Advice>> = {
  failing: {
    code: "webhook_failing",
    text: (since, waits) =>
      `was given up at ${since}, and ${waits}; once its receiver works, go on`,
    verb: "enable"
  },
  gone: {
    code: "webhook_gone",
    text: (since) => `answered 410 Gone at ${since}; forget it, or enable it if that was wrong`,
    verb: "remove"
  },
  disabled: {
    code: "webhook_disabled",
    text: (since, waits) =>
      `has been switched off since ${since}, and ${waits}; remove it, or go on`,
    verb: "enable"
  }
}

const attempts = ({ failures, nextMs }: WebhookBehind): string =>
  [
    failures === 1 ? "1 attempt has failed" : `${formatCount(failures)} attempts have failed`,
    ...(nextMs === null ? [] : [`the next is at ${shortTime(nextMs)} UTC`])
  ].join(", ")

/** `isOpen` says whether a process may be serving the store. */
const late = (webhook: WebhookBehind, isOpen: boolean): Advice => ({
  code: "webhook_behind",
  text: (since, waits) => {
    const is = webhook.sinceMs === null ? "is behind" : `has been behind since ${since}`
    if (webhook.failures > 0)
      return `${is}: ${waits}, ${attempts(webhook)}; see what its receiver said`
    return isOpen
      ? `${is}: ${waits}; see how it stands`
      : `${is}: ${waits}; serve the store, since nothing is sent otherwise, or see how it stands`
  },
  verb: "show"
})

export const webhookAttention = (
  webhook: WebhookBehind,
  isOpen: boolean,
  file: string
): Attention => {
  const { id, origin, state, sinceMs } = webhook
  const { code, text, verb } = state === "enabled" ? late(webhook, isOpen) : STOPPED[state]
  const since = sinceMs === null ? "" : `${shortTime(sinceMs)} UTC`
  return {
    code,
    what: `Webhook ${id} (${printable(origin, 60)}) ${text(since, waiting(webhook))}`,
    command: `petstore webhooks ${verb} ${id} --db ${file}`,
    webhook: id
  }
}

const named = (kind: string, id: number, name: string): string =>
  name === "" ? `${kind} ${id}` : `${kind} ${id} (${printable(name, 30)})`

export const banAttention = (
  { accountId, name, bannedUntilMs }: BannedCaller,
  file: string
): Attention => ({
  code: "caller_banned",
  what:
    `${named("Account", accountId, name)} is banned until ${shortTime(bannedUntilMs)} UTC for ` +
    "repeating requests before Retry-After was over; see why, before you lift it with accounts " +
    "unban",
  command: `petstore limits explain --account ${accountId} --db ${file}`,
  account: accountId
})

export const limitAttention = (
  { accountId, name, window, used, limit, resetMs }: CallerNearLimit,
  file: string
): Attention => ({
  code: "caller_near_limit",
  what:
    `${named("Account", accountId, name)} has used ${formatCount(used)} of ` +
    `${formatCount(limit)} requests of this ${window}, which ends at ${shortTime(resetMs)} ` +
    "UTC; if it needs more, give it another plan",
  command: `petstore accounts set-plan ${accountId} PLAN --db ${file}`,
  account: accountId
})

export const keyAttention = (
  { id, accountId, name, start, expiresMs }: ExpiringKey,
  file: string
): Attention => ({
  code: "key_expiring",
  what:
    `${named("Key", id, name)} of account ${accountId}, which begins with ${start}, expires at ` +
    `${shortTime(expiresMs)} UTC; revoke it, set another end, or replace it`,
  command: `petstore keys rotate ${id} --overlap 1d --expires DATE --db ${file}`,
  key: id
})
