/** What tells a process from every other that has, had or will have its id. */
import { spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import process from "node:process"

/**
 * Within what a process id means one process at a time: this boot of the machine and, since each
 * container counts for itself, the namespace. Undefined where the system does not say (not Linux).
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
 * When the process started, in words that are compared and nothing else; by them a process is told
 * from an earlier one of the same id. `ended` for one that has ended and whose parent has not asked
 * for it yet, in a container perhaps for ever. Undefined where there is none, or nothing is told.
 */
export const startOf = (pid: number): string | undefined =>
  process.platform === "win32" ? undefined : (startByProc(pid) ?? startByPs(pid))

/**
 * Fields 3, the state, and 22, in ticks since boot, of proc_pid_stat(5). In the second anything may
 * be.
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

/** Where there is no /proc: macOS and the BSDs have this column. */
const startByPs = (pid: number): string | undefined => {
  if (process.platform === "linux") return undefined
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }
  })
  return stdout?.trim() || undefined
}

/** Whether there is a process of this id, which may be any. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
