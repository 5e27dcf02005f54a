/** The machine that this runs on, as far as it says. */
import { cpus, release, totalmem, type } from "node:os"
import type { Machine } from "./Report.js"

export const thisMachine = (): Machine => {
  const processors = cpus()
  return {
    processor: processors[0]?.model.trim() || "an unnamed processor",
    processors: processors.length,
    memoryGb: totalmem() / 1e9,
    system: `${type()} ${release()}`,
    node: process.versions.node
  }
}
