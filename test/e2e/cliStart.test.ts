/**
 * What `petstore serve` loads before it listens, and what it weighs when nobody calls: what is paid
 * before anything is asked.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, served, servedIn, start } from "./petstore.js"

const newFolder = folders()

afterEach(killAll)

const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

/** A module that has Node write down, line by line, the files that it loads. */
const noting = (file: string): string =>
  dataUrl(
    `import { register } from "node:module"
register(${JSON.stringify(
      dataUrl(
        `import { appendFileSync } from "node:fs"
export const load = async (url, context, next) => {
  if (url.startsWith("file:")) appendFileSync(${JSON.stringify(file)}, url + "\\n")
  return next(url, context)
}`
      )
    )})`
  )

/** The modules that a bundled file is made of, as it names them. */
const modulesIn = (url: string): ReadonlyArray<string> =>
  [...readFileSync(new URL(url), "utf8").matchAll(/^\/\/ (\S+\.m?js)$/gm)].map(
    ([, module = ""]) => module
  )

/** Every file that a start loads, and every module in them, up to the first answer. */
const loadedBy = async (...args: ReadonlyArray<string>) => {
  const list = join(newFolder(), "loaded")
  const { child, call, ended } = await servedIn(
    { NODE_OPTIONS: `--import=${noting(list)}` },
    ...args
  )
  expect((await call("/pets")).status).toBe(200)
  child.kill("SIGTERM")
  await ended
  const files = readFileSync(list, "utf8").trimEnd().split("\n")
  return { files, modules: files.flatMap(modulesIn) }
}

/** What the system says a process has in memory, in MB of a million bytes. */
const residentMb = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6
}

const bareNodeMb = async (): Promise<number> => {
  const child = spawn(process.execPath, ["-e", 'setInterval(() => {}, 1e6); console.log("up")'])
  try {
    await once(child.stdout, "data")
    return residentMb(child.pid)
  } finally {
    child.kill()
  }
}

/**
 * What is for other commands, for requests that may never come, or for checks by schema in tests.
 */
const NOT_AT_THE_START = [
  /docs\/docsFile/,
  /openapi\/openApiDocument/,
  /HttpApiBuilder|HttpApiSwagger|swagger-ui/,
  /fast-check/,
  /@effect\/sql/,
  /cli\/dist\/(import|seed|limits|history|file)\/(?!command|options)/,
  /cli-table3/
]

describe("a start of petstore serve", { timeout: 60_000 }, () => {
  test.each([
    ["on a file", () => ["--db", join(newFolder(), "pets.db")]],
    ["in memory", () => ["--memory"]]
  ])(
    "%s loads few files, and nothing that is only for other commands or for later",
    async (_, args) => {
      const { files, modules } = await loadedBy(...args())
      expect(files.length).toBeLessThan(60)
      expect(modules.some((module) => module.endsWith("http-adapter/dist/node/serve.js"))).toBe(
        true
      )
      for (const early of NOT_AT_THE_START) {
        expect([...files, ...modules].filter((each) => early.test(each))).toEqual([])
      }
    }
  )

  test("of another command loads nothing of the service", async () => {
    const list = join(newFolder(), "loaded")
    const extra = { NODE_OPTIONS: `--import=${noting(list)}` }
    expect((await start(["--help"], extra).ended).code).toBe(0)
    const modules = readFileSync(list, "utf8").trimEnd().split("\n").flatMap(modulesIn)
    expect(modules.some((module) => module.endsWith("cli/dist/commandLine.js"))).toBe(true)
    expect(modules.filter((module) => /http-adapter|storage-(sqlite|memory)/.test(module))).toEqual(
      []
    )
  })

  // Measured: 37 MB more than Node alone, and 79 before it was bundled.
  test.skipIf(!existsSync("/proc/self/status"))(
    "weighs less than 60 MB more than Node alone",
    async () => {
      const { child, call } = await served("--db", join(newFolder(), "pets.db"))
      expect((await call("/pets")).status).toBe(200)
      expect(residentMb(child.pid) - (await bareNodeMb())).toBeLessThan(60)
    }
  )
})
