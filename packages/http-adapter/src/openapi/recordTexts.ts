/** Descriptions and examples of the records. A test checks the examples against the schemas. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { PetStoreApi } from "../contract/PetStoreApi.js"
import { type RecordText, RecordTexts } from "../contract/RecordTexts.js"
import { EXAMPLES } from "./errorTexts.js"

const EVENT = {
  sequence: 42,
  type: "pet.created",
  at: "2026-12-24T08:00:00.000Z",
  recordId: 1,
  revision: 1,
  record: { id: 1, name: "Rex", categoryId: 1, status: "available" }
}

const OPENING = "retry: 2000\nid: 3f9x-41\n\nid: 3f9x-42\nevent: pet.created\n"

/** The start of a stream. */
export const STREAM_EXAMPLE = `${OPENING}data: ${JSON.stringify(EVENT)}\n\n`

const ofGroups = (): Readonly<Record<string, RecordText>> => {
  const texts: Record<string, RecordText> = {}
  HttpApi.reflect(PetStoreApi, {
    onGroup: ({ group }) => {
      Object.assign(texts, Option.getOrUndefined(Context.getOption(group.annotations, RecordTexts)))
    },
    onEndpoint: () => undefined
  })
  return texts
}

/** The texts of the records, the events and the errors. */
export const RECORD_TEXTS: Readonly<Record<string, RecordText>> = {
  ...ofGroups(),
  Event: {
    description:
      "One change of one record. `resync` means that changes up to its sequence are no " +
      "longer available.",
    example: EVENT,
    fields: {
      sequence: "Counts changes without a gap, from 1.",
      type: "The type of the change, which determines the type of `record`.",
      at: "The time of the change. Not with `resync`.",
      recordId: "The record's id; of an inventory entry, the pet's. Not with `resync`.",
      revision: "The record's revision, as in its tag. Missing for a deletion.",
      record: "The record after the change. Missing for a deletion."
    }
  },
  Error: {
    description: "The body of every error.",
    example: { code: "not_found", message: EXAMPLES.not_found.message, status: 404 },
    fields: {
      code: "What went wrong, for programs; each response lists its codes.",
      message: "What went wrong, for people. Programs should not parse it.",
      status: "The HTTP status."
    }
  },
  Problem: {
    description: "The same by RFC 9457, if `Accept` names it.",
    example: {
      type: "about:blank",
      title: "Not Found",
      detail: EXAMPLES.not_found.message,
      code: "not_found",
      message: EXAMPLES.not_found.message,
      status: 404
    },
    fields: {
      type: "Always `about:blank`; `code` is the kind of problem.",
      title: "The status, in words.",
      detail: "The message again.",
      code: "As in Error.",
      message: "As in Error.",
      status: "As in Error."
    }
  }
}
