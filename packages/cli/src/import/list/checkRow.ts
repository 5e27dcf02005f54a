/** Checks with the rules of the service whether a row can be a pet, before it is sent. */
import type { PetStatus, ValidationFailed } from "@petstore/core"
import { decoderOf, NewCategory, NewPet } from "@petstore/core/schema"
import * as Either from "effect/Either"
import type { ListRow } from "./ShelterList.js"
import type { StatusMap } from "./StatusMap.js"

/**
 * Why a line was refused. The code is one of the service's, or `unreadable_line` or
 * `unknown_status`.
 */
export type Refusal = { readonly code: string; readonly message: string }

/** A valid row, with its category by name. */
export type CheckedRow = {
  readonly number: number
  readonly line: number
  readonly name: string
  readonly category: string
  readonly status: PetStatus | undefined
  /** The status in the list. */
  readonly listedStatus: string | undefined
}

const decodePet = decoderOf(NewPet)
const decodeCategory = decoderOf(NewCategory)

/** A valid id. The id of the category is not known yet. */
const SOME_CATEGORY = 1

const refusal = ({ code, message }: ValidationFailed): Refusal => ({ code, message })

export const checkRow = (row: ListRow, statuses: StatusMap): Either.Either<CheckedRow, Refusal> => {
  const { number, line, name, category } = row
  if (row.unreadable !== undefined)
    return Either.left({ code: "unreadable_line", message: row.unreadable })
  if (row.surplus > 0) {
    const message =
      `${row.surplus} more cells than the header has columns: a delimiter within a cell needs ` +
      "quotes"
    return Either.left({ code: "unreadable_line", message })
  }
  const status = row.status === undefined ? undefined : statuses.get(row.status)
  if (row.status !== undefined && status === undefined) {
    const knownValues = [...statuses.keys()].map((value) => `'${value}'`).join(", ")
    const message = `status: '${row.status}' is not in the status map, which has ${knownValues}`
    return Either.left({ code: "unknown_status", message })
  }
  const pet = decodePet({
    name,
    categoryId: SOME_CATEGORY,
    ...(status === undefined ? {} : { status })
  })
  if (Either.isLeft(pet)) return Either.left(refusal(pet.left))
  const group = decodeCategory({ name: category })
  if (Either.isLeft(group)) {
    const { code, message } = refusal(group.left)
    return Either.left({ code, message: message.replace(/^name:/, "category:") })
  }
  return Either.right({ number, line, name, category, status, listedStatus: row.status })
}
