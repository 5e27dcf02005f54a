/** `petstore verify`: checks a store. */
import process from "node:process"
import { type Finding, verify } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { attempt, storageFailure } from "../store/attempt.js"
import { requireStore } from "../store/StoreFile.js"
import { answer, failWithAnswer } from "../terminal/answer.js"
import { StatusLine } from "../terminal/StatusLine.js"
import { drawTable, formatCount, printable } from "../terminal/text.js"

export type VerifyOptions = { readonly db: string; readonly json: boolean }

/** How many findings people see. Programs get all. */
const SHOWN_FINDINGS = 40

export const verifyFile = ({ db, json }: VerifyOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    yield* requireStore(db)
    const checks: Array<string> = []
    const line = new StatusLine(process.stderr, () => `checking ${checks.at(-1) ?? db}`)
    const onCheck = (check: string): void => {
      checks.push(check)
      line.redraw()
    }
    const findings = yield* verify({ filename: db, onCheck }).pipe(
      // A file that can't be opened is a finding for programs, and a failure for people.
      Effect.catchIf(
        ({ reason }) => json && reason === "Corrupt",
        ({ detail }) => Effect.succeed([{ check: "opening", detail }])
      ),
      Effect.mapError(storageFailure),
      Effect.ensuring(Effect.sync(() => line.end()))
    )
    const forPrograms = () => ({ file: db, ok: findings.length === 0, checks, findings })
    const forPeople = () => reportOf(db, checks, findings)
    const damaged = `${db} is damaged: ${formatCount(findings.length)} findings`
    yield* attempt(() =>
      findings.length === 0
        ? answer(json, forPrograms, forPeople)
        : failWithAnswer(json, CommandFailed.because(damaged, "damaged"), forPrograms, forPeople)
    )
  })

const reportOf = async (
  db: string,
  checks: ReadonlyArray<string>,
  findings: ReadonlyArray<Finding>
): Promise<string> => {
  if (findings.length === 0) return `${db} is intact. Checked: ${checks.join(", ")}.`
  const table = await drawTable(
    ["check", "what is wrong"],
    findings.slice(0, SHOWN_FINDINGS).map(({ check, detail }) => [check, printable(detail, 120)])
  )
  const more = findings.length - SHOWN_FINDINGS
  return more > 0 ? `${table}\n… and ${formatCount(more)} more` : table
}
