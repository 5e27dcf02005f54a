/** Finds the operations of a path by its segments, without backtracking. */

/** The operations of one path. */
export type Route<Operation> = {
  /** The path template: `/pets/{petId}`. */
  readonly template: string
  readonly allow: string
  readonly byMethod: ReadonlyMap<string, Operation>
}

/** A route and its decoded parameter, which is empty for a path without one. */
export type Match<Operation> = { readonly route: Route<Operation>; readonly parameter: string }

export type Router<Operation> = (path: string) => Match<Operation> | undefined

type MethodAndPath = { readonly method: string; readonly path: string }

type TreeNode<Operation> = {
  readonly fixed: Map<string, TreeNode<Operation>>
  parameter: TreeNode<Operation> | undefined
  readonly operations: Map<string, Operation>
  route: Route<Operation> | undefined
}

const emptyNode = <Operation>(): TreeNode<Operation> => ({
  fixed: new Map(),
  parameter: undefined,
  operations: new Map(),
  route: undefined
})

/** A segment that can't be decoded stays as it is: it matches nothing and is no valid parameter. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const HEAD = "HEAD"
const GET = "GET"

/** GET also answers HEAD (RFC 9110 §9.3.2). Every path answers OPTIONS. */
const routeOf = <Operation>(
  path: string,
  operations: ReadonlyMap<string, Operation>
): Route<Operation> => {
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
 * Compiles paths such as `/pets/:petId`. Compares decoded segments case-sensitively. A parameter is
 * never empty, so `/pets/` and `//pets` have no route.
 */
export const makeRouter = <Operation extends MethodAndPath>(
  operations: ReadonlyArray<Operation>
): Router<Operation> => {
  const root = emptyNode<Operation>()
  for (const operation of operations) {
    let node = root
    for (const segment of operation.path.slice(1).split("/")) {
      if (segment.startsWith(":")) node = node.parameter ??= emptyNode()
      else {
        const next: TreeNode<Operation> = node.fixed.get(segment) ?? emptyNode()
        node.fixed.set(segment, next)
        node = next
      }
    }
    node.operations.set(operation.method, operation)
    node.route = routeOf(operation.path, node.operations)
  }

  return (path) => {
    if (path.charCodeAt(0) !== 0x2f) return undefined
    const encoded = path.includes("%")
    let node = root
    let parameter = ""
    let start = 1
    while (start <= path.length) {
      const slash = path.indexOf("/", start)
      const end = slash === -1 ? path.length : slash
      const raw = path.slice(start, end)
      const segment = encoded ? decodeSegment(raw) : raw
      let next = node.fixed.get(segment)
      if (next === undefined) {
        if (segment === "" || node.parameter === undefined) return undefined
        next = node.parameter
        parameter = segment
      }
      node = next
      start = end + 1
    }
    return node.route === undefined ? undefined : { route: node.route, parameter }
  }
}
