/** Reads all pages of a list. */

type List<Query, A> = (
  query: Query & { readonly limit: number; readonly cursor?: string }
) => Promise<{ readonly items: ReadonlyArray<A>; readonly next?: string | undefined }>

const PAGE = 100

export const everyPage = async <Query extends object, A>(
  list: List<Query, A>,
  query: Query
): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let cursor: string | undefined; ;) {
    const { items, next } = await list({
      ...query,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor })
    })
    for (const item of items) all.push(item)
    if (next === undefined) return all
    cursor = next
  }
}
