/** Moves responses that several operations share into the components. */
import { ERROR_STATUS, type ErrorCode, STATUS_TITLE } from "../contract/ErrorStatus.js"
import type { ResponseObject } from "./Document.js"

const isTitled = (status: string): status is `${keyof typeof STATUS_TITLE}` =>
  Object.hasOwn(STATUS_TITLE, status)

const pascal = (code: string): string =>
  code.replace(/(^|_| )([a-zA-Z])/g, (_, __, letter: string) => letter.toUpperCase())

const codesOf = ({ description }: ResponseObject): ReadonlyArray<string> =>
  [...description.matchAll(/`([a-z_]+)`: /g)]
    .map(([, code = ""]) => code)
    .filter((code) => isCode(code))

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_STATUS, text)

export type SharedResponses = {
  readonly components: Readonly<Record<string, ResponseObject>>
  /** The component name of a shared response. */
  readonly nameOf: (status: string, response: ResponseObject) => string | undefined
}

/**
 * A name has the title of the status and the codes that not all responses of that status have, as
 * in `ConflictPetInUse`. Only errors are shared; every operation has its own successes.
 */
export const shareResponses = (
  all: ReadonlyArray<readonly [status: string, response: ResponseObject]>
): SharedResponses => {
  const variants = new Map<
    string,
    { readonly status: string; readonly response: ResponseObject; uses: number }
  >()
  for (const [status, response] of all) {
    if (!isTitled(status)) continue
    const key = status + JSON.stringify(response)
    const variant = variants.get(key)
    if (variant === undefined) variants.set(key, { status, response, uses: 1 })
    else variant.uses++
  }
  const names = new Map<string, string>()
  const components: Record<string, ResponseObject> = {}
  for (const [key, { status, response, uses }] of variants) {
    if (uses < 2 || !isTitled(status)) continue
    const siblings = [...variants.values()].filter((each) => each.status === status)
    const distinct = codesOf(response).filter(
      (code) => !siblings.every((sibling) => codesOf(sibling.response).includes(code))
    )
    const marks = Object.keys(response.headers).includes("X-Stability") ? "Unstable" : ""
    const name = pascal(STATUS_TITLE[status]) + distinct.map(pascal).join("") + marks
    names.set(key, name)
    components[name] = response
  }
  return { components, nameOf: (status, response) => names.get(status + JSON.stringify(response)) }
}
