/** What the system says of a running process; undefined where it has no /proc. */
import { readFileSync } from "node:fs"

/** Processor time it has used so far, its threads' too. */
export const cpuMicros = (pid: number | undefined): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return undefined
  }
}

/** How much of it is in memory, in MB of a million bytes. */
export const residentMb = (pid: number | undefined): number | undefined => {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kib === undefined ? undefined : (Number(kib) * 1_024) / 1e6
  } catch {
    return undefined
  }
}
