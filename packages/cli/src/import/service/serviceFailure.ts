/** What an import says of calls that the service refused or did not answer. */
import { type NoAnswer, PetStoreError, UnexpectedAnswer } from "@petstore/http-adapter/client"
import { printable } from "../../terminal/text.js"
import type { Refusal } from "../list/checkRow.js"
import { ImportStopped } from "./ImportStopped.js"

/** An answer that is no success, from the service or from a proxy before it. */
type FailedAnswer = PetStoreError | UnexpectedAnswer

export const isAnswer = (failure: unknown): failure is FailedAnswer =>
  failure instanceof PetStoreError || failure instanceof UnexpectedAnswer

/** The code and the message of the service, if the answer has them. */
export const refusalOf = (failure: FailedAnswer): Refusal =>
  failure instanceof PetStoreError
    ? { code: failure.code, message: failure.message }
    : { code: `http_${failure.status}`, message: `the service answered ${failure.status}` }

/** Why the import stops after this answer of the service at `url`. */
export const stopReason = (failure: FailedAnswer, url: URL): ImportStopped => {
  const { status } = failure
  if (failure instanceof UnexpectedAnswer && status < 300)
    return new ImportStopped(
      `the service answered ${status} with something else than it should: is this the URL of ` +
        "a pet store?"
    )
  if (failure instanceof UnexpectedAnswer && status < 400)
    return new ImportStopped(redirectMessage(failure, url))
  const { code, message } = refusalOf(failure)
  return new ImportStopped(`the service says ${status} ${code}: ${message}`)
}

/** A resource of the import, at the end of a URL. */
const RESOURCE = /\/(?:pets|categories)(?:\?.*)?$/

/** Redirects are not followed, so that the key goes only to the URL that the user named. */
const redirectMessage = ({ status, location }: UnexpectedAnswer, url: URL): string => {
  if (location === undefined)
    return `the service answers ${status}, and not where it is: is --url right?`
  const target = absolute(location, url)
  return RESOURCE.test(target)
    ? `the service answers ${status}: it is at ` +
        `${printable(target.replace(RESOURCE, ""), 200)}; give that with --url`
    : `the service answers ${status} and points to ${printable(target, 200)}: is --url right?`
}

/** The whole URL, without a user and a password. */
const absolute = (location: string, url: URL): string => {
  const base = `${url.href.replace(/\/$/, "")}/pets`
  if (!URL.canParse(location, base)) return location
  const target = new URL(location, base)
  target.username = ""
  target.password = ""
  return target.href
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: "the connection broke",
  ETIMEDOUT: "the host does not answer"
}

export const noAnswerReason = ({ cause, message }: NoAnswer): string => {
  if (!(cause instanceof Error)) return message
  const reason = "code" in cause ? REASONS[String(cause.code)] : undefined
  return reason ?? (cause.message || message)
}
