/**
 * Merges the metrics of several processes into one Prometheus text. Each family comes once, and
 * each sample has the number of its worker.
 */

const FAMILY = /^# (?:HELP|TYPE) (\S+)/

/**
 * Adds a label to `name{a="b"} 1` or `name 1`. Label values have no line breaks and numbers no
 * braces.
 */
const addWorkerLabel = (sample: string, worker: number): string => {
  const end = sample.lastIndexOf("}")
  if (end >= 0) return `${sample.slice(0, end)},worker="${worker}"${sample.slice(end)}`
  const blank = sample.indexOf(" ")
  return `${sample.slice(0, blank)}{worker="${worker}"}${sample.slice(blank)}`
}

type Family = { readonly head: Array<string>; readonly samples: Array<string> }

/** `texts` has the text of each worker by its number. */
export const mergeMetrics = (texts: ReadonlyMap<number, string>): string => {
  const families = new Map<string, Family>()
  for (const [worker, text] of texts) {
    let family: Family = { head: [], samples: [] }
    for (const line of text.split("\n")) {
      const [, name] = FAMILY.exec(line) ?? []
      if (name === undefined) {
        if (line !== "") family.samples.push(addWorkerLabel(line, worker))
        continue
      }
      family = families.get(name) ?? { head: [], samples: [] }
      families.set(name, family)
      if (!family.head.includes(line)) family.head.push(line)
    }
  }
  return Array.from(
    families.values(),
    ({ head, samples }) => `${head.concat(samples).join("\n")}\n`
  ).join("")
}
