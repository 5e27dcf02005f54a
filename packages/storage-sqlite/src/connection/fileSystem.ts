/**
 * Decides whether a file system can hold a store. The processes of a store share the index of the
 * log in memory, so they must run on one machine.
 */
import { readFileSync, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** Magic numbers of `statfs(2)` on Linux. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"]
])

/** All FUSE file systems have one magic number; the list of mounts has their types. */
const NETWORK_FUSE = /^fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|davfs2?|curlftpfs|mount-s3)$/

export type Mount = { readonly point: string; readonly type: string }

/** What the operating system knows of file systems; replaced in tests. */
export type System = {
  /** The magic number of the file system, if the operating system tells it. */
  readonly magicOf: (folder: string) => number | undefined
  readonly mounts: () => ReadonlyArray<Mount>
}

const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8))
  )

/** Parses the lines of `/proc/self/mountinfo` (proc(5)). */
export const parseMounts = (text: string): ReadonlyArray<Mount> =>
  text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ")
    const point = before.split(" ")[4]
    const type = after.split(" ")[0]
    return point === undefined || type === undefined || type === ""
      ? []
      : [{ point: unescaped(point), type }]
  })

const LINUX: System = {
  magicOf: (folder) => {
    try {
      return statfsSync(folder).type >>> 0
    } catch {
      return undefined
    }
  },
  mounts: () => {
    try {
      return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"))
    } catch {
      return []
    }
  }
}

/** Other systems have other magic numbers, or none. */
const UNKNOWN: System = { magicOf: () => undefined, mounts: () => [] }

const mountOf = (folder: string, mounts: ReadonlyArray<Mount>): Mount | undefined =>
  mounts
    .filter(({ point }) => point === "/" || folder === point || folder.startsWith(`${point}/`))
    .reduce<Mount | undefined>(
      (nearest, mount) =>
        nearest !== undefined && nearest.point.length > mount.point.length ? nearest : mount,
      undefined
    )

/** Why this path can't hold a store, if that is known. The path must be without symbolic links. */
export const unsuitableFileSystem = (
  path: string,
  system: System = process.platform === "linux" ? LINUX : UNKNOWN
): string | undefined => {
  const mounts = system.mounts()
  if (mounts.some(({ point }) => point === path)) {
    return (
      `${path} is mounted as a single file, so its log can't be shared with who names it ` +
      "otherwise; mount its folder instead"
    )
  }
  const folder = dirname(path)
  const type = mountOf(folder, mounts)?.type ?? ""
  const name =
    NETWORK_FILE_SYSTEMS.get(system.magicOf(folder) ?? 0) ??
    (NETWORK_FUSE.test(type) ? type.slice(5) : undefined)
  return name === undefined
    ? undefined
    : `${path} is on a network file system (${name}), where SQLite's log can't be shared; keep ` +
        "the file on a disk of this machine"
}
