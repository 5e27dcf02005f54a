/**
 * A program bundled as a page or a worker would load it: with everything it uses and nothing else,
 * minified.
 */
import { gzipSync } from "node:zlib"
import { build, type Rolldown } from "vite"

/** A file that there isn't: its source is given. */
const ENTRY = `${import.meta.dirname}/entry.js`

export type Bundle = {
  readonly minifiedBytes: number
  readonly gzippedBytes: number
  /** Bytes before minifying, by the path of the module. */
  readonly modules: ReadonlyMap<string, number>
}

export const bundle = async (source: string): Promise<Bundle> => {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? ENTRY : undefined),
        load: (id) => (id === ENTRY ? source : undefined)
      }
    ],
    build: {
      write: false,
      minify: true,
      target: "es2023",
      // In one file, also what is loaded on demand: so workers get it.
      rolldownOptions: { output: { codeSplitting: false } },
      lib: { entry: ENTRY, formats: ["es"], fileName: "entry" }
    }
  })
  const { code, modules } = chunkOf(Array.isArray(built) ? built[0] : built)
  return {
    minifiedBytes: code.length,
    gzippedBytes: gzipSync(code, { level: 9 }).length,
    modules: new Map(
      Object.entries(modules).map(([id, { renderedLength }]) => [id, renderedLength])
    )
  }
}

const chunkOf = (output: object | undefined): Rolldown.OutputChunk => {
  if (output === undefined || !("output" in output)) throw new Error("nothing was built")
  return (output as Rolldown.RolldownOutput).output[0]
}
