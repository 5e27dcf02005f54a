/** Which versions of better-sqlite3 crash which versions of Node. */

type Version = readonly [major: number, minor: number]

const versionOf = (text: string): Version => {
  const [major = 0, minor = 0] = text.split(".").map(Number)
  return [major, minor]
}

const isBefore = ([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean =>
  major < otherMajor || (major === otherMajor && minor < otherMinor)

/**
 * Why this version can't be used, and what to do; undefined if it can. Versions before 13 abort on
 * Node 24.19 and later 24. Versions from 13 on end Node before 22.16 with a segmentation fault.
 * `runtime` is `process.versions`.
 */
export const unfitReason = (
  version: string,
  runtime: { readonly node: string; readonly bun?: string; readonly deno?: string }
): string | undefined => {
  if (runtime.bun !== undefined || runtime.deno !== undefined) return undefined
  const node = versionOf(runtime.node)
  const isBefore13 = isBefore(versionOf(version), [13, 0])
  if (isBefore13 && !isBefore(node, [24, 19]) && isBefore(node, [25, 0]))
    return (
      `better-sqlite3 ${version} makes Node ${runtime.node} abort: use the driver that Node ` +
      'has built in (driver "node", the default), or install better-sqlite3 13'
    )
  if (!isBefore13 && isBefore(node, [22, 16]))
    return (
      `better-sqlite3 ${version} makes Node ${runtime.node} crash: install better-sqlite3 12, ` +
      "or use Node 22.16 or later"
    )
  return undefined
}
