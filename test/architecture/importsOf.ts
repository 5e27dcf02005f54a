/** Which modules a source imports, read from its text. */

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s+["']([^"']+)["']|import\(["']([^"']+)["']\)|(?:^|\n)\s*import\s+["']([^"']+)["']/g

/** Every module it names, also for types alone. */
export const importsOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(IMPORT)].map(([, from, lazily, bare]) => from ?? lazily ?? bare ?? "")

/**
 * The modules that are loaded with it: type-only imports are gone by then, comments never were, and
 * what is imported by a call comes later.
 */
export const loadsOf = (source: string): ReadonlyArray<string> =>
  importsOf(
    source
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/import\(/g, "")
      .replace(/(?:import|export)\s+type\s[^;]*?from\s+["'][^"']+["']/g, "")
  )
