/** `petstore status`: prints the status of a store. */
import { StorageError } from "@petstore/core"
import { status } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { attempt, storageFailure } from "../store/attempt.js"
import { requireStore } from "../store/StoreFile.js"
import { answer, failWithAnswer } from "../terminal/answer.js"
import { attentionOf } from "./attentionOf.js"
import { statusJson } from "./statusJson.js"
import { statusText } from "./statusText.js"

export type StatusOptions = {
  readonly db: string
  readonly backupWithinMs: number
  readonly json: boolean
}

export const showStatus = ({
  db,
  backupWithinMs,
  json
}: StatusOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    yield* requireStore(db)
    const current = yield* status({ filename: db }).pipe(Effect.mapError(storageFailure))
    const attention = attentionOf(current, { db, backupWithinMs })
    const forPrograms = () => statusJson(db, current, attention)
    const forPeople = () => statusText(current, attention)
    const count = attention.length
    const failure =
      current.contents instanceof StorageError
        ? storageFailure(current.contents)
        : CommandFailed.because(
            `${db} needs attention: ${count} ${count === 1 ? "thing" : "things"}`,
            "needs_attention"
          )
    yield* attempt(() =>
      count === 0
        ? answer(json, forPrograms, forPeople)
        : failWithAnswer(json, failure, forPrograms, forPeople)
    )
  })
