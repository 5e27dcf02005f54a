/** Finds the operations of a path. Compiled once; a look-up walks the path's segments and tries nothing twice. */

/** All operations of one path, and the methods it has. */
export type Route<Operation> = {
  /** As descriptions write it: `/pets/{petId}`. */
  readonly template: string
  readonly allow: string
  readonly byMethod: ReadonlyMap<string, Operation>
}

/** A route and the text of its parameter, percent-decoded where it can be; empty for a path without one. */
export type Match<Operation> = { readonly route: Route<Operation>; readonly parameter: string }

export type Router<Operation> = (path: string) => Match<Operation> | undefined

type Routed = { readonly method: string; readonly path: string }

type Place<Operation> = {
  readonly fixed: Map<string, Place<Operation>>
  parameter: Place<Operation> | undefined
  readonly operations: Map<string, Operation>
  route: Route<Operation> | undefined
}

const emptyPlace = <Operation>(): Place<Operation> => ({
  fixed: new Map(),
  parameter: undefined,
  operations: new Map(),
  route: undefined
})

/** As sent where it can't be decoded: such a text equals no fixed segment and is no parameter. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const HEAD = "HEAD"
const GET = "GET"

/** RFC 9110 §9.3.2: HEAD is GET without the body, so what answers GET answers HEAD; OPTIONS is answered for every path. */
const routeOf = <Operation>(path: string, operations: ReadonlyMap<string, Operation>): Route<Operation> => {
  const byMethod = new Map(operations)
  const get = operations.get(GET)
  if (get !== undefined) byMethod.set(HEAD, get)
  return {
    template: path.replace(/:(\w+)/g, "{$1}"),
    allow: [...byMethod.keys(), "OPTIONS"].join(", "),
    byMethod
  }
}

/**
 * Compiles the paths (`/pets/:petId`). Segments are compared as sent or percent-decoded, case-sensitively; a parameter is
 * never empty, so `/pets/` is another path than `/pets` and leads nowhere, as does a doubled slash.
 */
export const makeRouter = <Operation extends Routed>(
  operations: ReadonlyArray<Operation>
): Router<Operation> => {
  const root = emptyPlace<Operation>()
  for (const operation of operations) {
    let place = root
    for (const segment of operation.path.slice(1).split("/")) {
      if (segment.startsWith(":")) place = place.parameter ??= emptyPlace()
      else {
        const next: Place<Operation> = place.fixed.get(segment) ?? emptyPlace()
        place.fixed.set(segment, next)
        place = next
      }
    }
    place.operations.set(operation.method, operation)
    place.route = routeOf(operation.path, place.operations)
  }

  return (path) => {
    if (path.charCodeAt(0) !== 0x2f) return undefined
    const encoded = path.includes("%")
    let place = root
    let parameter = ""
    let start = 1
    while (start <= path.length) {
      const slash = path.indexOf("/", start)
      const end = slash === -1 ? path.length : slash
      const raw = path.slice(start, end)
      const segment = encoded ? decodeSegment(raw) : raw
      let next = place.fixed.get(segment)
      if (next === undefined) {
        if (segment === "" || place.parameter === undefined) return undefined
        next = place.parameter
        parameter = segment
      }
      place = next
      start = end + 1
    }
    return place.route === undefined ? undefined : { route: place.route, parameter }
  }
}
