/** What an editor shows of the store: every verb explains itself, and its example is one that compiles. */
import { join } from "node:path"
import { Effect } from "effect"
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import ts from "typescript"
import { beforeAll, describe, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

/** A file that there isn't, beside the others: what is typed into an editor. */
const FILE = join(root, "examples/typed.ts")
const OPENING = `import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
const store = await PetStore.open({ storage: MemoryStorage.layer })
`

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ["@petstore/source"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

let text = ""
let version = 0
const isTyped = (file: string) => file === FILE

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: (file) => (isTyped(file) ? String(version) : "0"),
  getScriptSnapshot: (file) => {
    const content = isTyped(file) ? text : ts.sys.readFile(file)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => isTyped(file) || ts.sys.fileExists(file),
  readFile: (file) => (isTyped(file) ? text : ts.sys.readFile(file)),
  directoryExists: (path) => ts.sys.directoryExists(path),
  getDirectories: (path) => ts.sys.getDirectories(path),
  realpath: (path) => ts.sys.realpath?.(path) ?? path
})

const type = (code: string): void => {
  text = `${OPENING}${code}`
  version++
}

const verbs = await Effect.runPromise(
  Effect.gen(function* () {
    const { engine } = yield* PetStore
    return Object.entries(engine.shop).flatMap(([group, named]) =>
      Object.keys(named).map((verb) => `${group}.${verb}`)
    )
  }).pipe(Effect.provide(PetStore.layer()), Effect.provide(MemoryStorage.layer))
)

/** Beside the verbs. */
const MEMBERS = ["transact", "withSignal"]
const WITHOUT_EXAMPLE = ["direct.pets", "close", "limits.get"]

type Shown = {
  readonly signature: string
  readonly documentation: string
  readonly examples: ReadonlyArray<string>
}
const shown = new Map<string, Shown>()
let problems: ReadonlyArray<string> = []

/** What is shown where the cursor rests on the last word of an expression; the file has one on each line. */
const lookAt = (members: ReadonlyArray<string>): void => {
  type(members.map((member) => `store.${member}\n`).join(""))
  for (const member of members) {
    const end = text.indexOf(`store.${member}\n`) + `store.${member}`.length
    const info = service.getQuickInfoAtPosition(FILE, end - 1)
    shown.set(member, {
      signature: ts.displayPartsToString(info?.displayParts),
      documentation: ts.displayPartsToString(info?.documentation),
      examples: (info?.tags ?? [])
        .filter((tag) => tag.name === "example")
        .map((tag) => ts.displayPartsToString(tag.text))
    })
  }
}

beforeAll(() => {
  lookAt([...verbs, ...MEMBERS, ...WITHOUT_EXAMPLE])
  type(
    [...shown.values()].flatMap(({ examples }) => examples.map((example) => `{\n${example}\n}\n`)).join("")
  )
  problems = service
    .getSemanticDiagnostics(FILE)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
}, 60_000)

describe("an editor shows what it does, why it is refused and how it is called, and nothing of Effect, for", () => {
  test.each(verbs)("store.%s", (verb) => {
    const { signature = "", documentation = "", examples = [] } = shown.get(verb) ?? {}
    expect(signature).toContain("Promise<")
    expect(signature).not.toMatch(/Effect|Generator|Operation/)
    expect(documentation.length).toBeGreaterThan(15)
    expect(examples).toEqual([expect.stringContaining(`store.${verb}(`)])
  })

  test.each(MEMBERS)("store.%s", (member) => {
    const { documentation = "", examples = [] } = shown.get(member) ?? {}
    expect(documentation.length).toBeGreaterThan(15)
    expect(examples).toHaveLength(1)
  })

  test.each(WITHOUT_EXAMPLE)("store.%s", (member) =>
    expect(shown.get(member)?.documentation.length).toBeGreaterThan(10)
  )
})

test("every example that an editor shows compiles", () => expect(problems).toEqual([]))
