/** Identifies a process beyond its id, which other processes have had or will have. */
import { spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import process from "node:process"

/**
 * The space in which a process id is unique at a time: the boot of the machine and the PID
 * namespace, which each container has. Undefined outside of Linux.
 */
export const processSpace = (): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return undefined
  }
}

/**
 * The start of a process as an opaque text, which differs from that of an earlier process with the
 * same id. `ended` for a zombie, which may stay forever in a container. Undefined if there is no
 * such process or the system does not tell.
 */
export const startOf = (pid: number): string | undefined =>
  process.platform === "win32" ? undefined : (startByProc(pid) ?? startByPs(pid))

/**
 * Fields 3 (state) and 22 (start, in ticks since boot) of proc_pid_stat(5). Field 2 may have any
 * text.
 */
const startByProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return /^[ZX]$/.test(fields[0] ?? "") ? "ended" : fields[19]
  } catch {
    return undefined
  }
}

/** For macOS and the BSDs, which have no /proc. */
const startByPs = (pid: number): string | undefined => {
  if (process.platform === "linux") return undefined
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }
  })
  return stdout?.trim() || undefined
}

/** Whether any process has this id. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
