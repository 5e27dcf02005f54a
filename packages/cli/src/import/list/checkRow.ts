/**
 * Whether a row of the list can be a pet: by the rules the service itself goes by, so that nothing
 * is sent in vain.
 */
import type { PetStatus, ValidationFailed } from "@petstore/core"
import { decoderOf, NewCategory, NewPet } from "@petstore/core/schema"
import * as Either from "effect/Either"
import type { ListRow } from "./ShelterList.js"
import type { StatusMap } from "./StatusMap.js"

/**
 * Why a line was left out. `code` and `message` are the service's, or `unreadable_line` and
 * `unknown_status` from here.
 */
export type Refusal = { readonly code: string; readonly message: string }

/** A row as it will be asked for, its category still by name. */
export type CheckedRow = {
  readonly number: number
  readonly line: number
  readonly name: string
  readonly category: string
  readonly status: PetStatus | undefined
  /** The status as the list has it. */
  readonly listedStatus: string | undefined
}

const acceptPet = decoderOf(NewPet)
const acceptCategory = decoderOf(NewCategory)

/** Any category that is well formed; the real one is not known yet. */
const SOME_CATEGORY = 1

const refusal = ({ code, message }: ValidationFailed): Refusal => ({ code, message })

export const checkRow = (row: ListRow, statuses: StatusMap): Either.Either<CheckedRow, Refusal> => {
  const { number, line, name, category } = row
  if (row.unreadable !== undefined) return Either.left({ code: "unreadable_line", message: row.unreadable })
  if (row.surplus > 0) {
    const message = `${row.surplus} more cells than the header has columns: a delimiter within a cell needs quotes`
    return Either.left({ code: "unreadable_line", message })
  }
  const status = row.status === undefined ? undefined : statuses.get(row.status)
  if (row.status !== undefined && status === undefined) {
    const known = [...statuses.keys()].map((value) => `'${value}'`).join(", ")
    const message = `status: '${row.status}' is not in the status map, which has ${known}`
    return Either.left({ code: "unknown_status", message })
  }
  const pet = acceptPet({ name, categoryId: SOME_CATEGORY, ...(status === undefined ? {} : { status }) })
  if (Either.isLeft(pet)) return Either.left(refusal(pet.left))
  const group = acceptCategory({ name: category })
  if (Either.isLeft(group)) {
    const { code, message } = refusal(group.left)
    return Either.left({ code, message: message.replace(/^name:/, "category:") })
  }
  return Either.right({ number, line, name, category, status, listedStatus: row.status })
}
