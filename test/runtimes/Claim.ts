/**
 * What is claimed of a runtime. A smoke program runs on it, prints a line for each claim, and exits
 * with 1 where one does not hold. Claims use nothing that only some runtimes have.
 */
export type Claim = { readonly claim: string; readonly check: () => Promise<void> }

/** Throws unless `actual` is `expected`, compared as JSON. */
export const expectSame = (actual: unknown, expected: unknown): void => {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`)
}

/** Throws unless `promise` rejects with an error that has this `code`. */
export const expectCode = async (promise: Promise<unknown>, code: string): Promise<void> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason
  )
  expectSame(error instanceof Error && "code" in error ? error.code : error, code)
}

/** A line for each claim: `ok CLAIM`, or `not ok CLAIM` and the reason. */
export const check = async (claims: ReadonlyArray<Claim>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const { claim, check } of claims) {
    try {
      await check()
      lines.push(`ok ${claim}`)
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      lines.push(`not ok ${claim}\n${reason}`)
    }
  }
  return lines
}
