/**
 * What an editor shows of the store: every verb explains itself, and its example is one that
 * compiles.
 */
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"
import { PetStore } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import ts from "typescript"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"

const root = join(import.meta.dirname, "../..")

/** A file that there isn't, beside the others: what is typed into an editor. */
const FILE = join(root, "examples/typed.ts")
const OPENING = `import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
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
    const shop: Readonly<Record<string, object>> = engine.shop
    return Object.entries(shop).flatMap(([group, named]) =>
      Object.keys(named).map((verb) => `${group}.${verb}`)
    )
  }).pipe(Effect.provide(PetStore.layer()), Effect.provide(MemoryStorage.layer))
)

/** Beside the verbs. */
const MEMBERS = [
  "transact",
  "withSignal",
  "direct",
  "close",
  "limits.get",
  "limits.explain",
  "limits.unban",
  "changes.page",
  "changes.history",
  "changes.last",
  "changes.epoch"
]

const groupOf = (member: string): string => member.split(".")[0] ?? ""

type Shown = {
  readonly signature: string
  readonly documentation: string
  readonly examples: ReadonlyArray<string>
}
const shown = new Map<string, Shown>()
let problems: ReadonlyArray<string> = []

/** What is shown where the cursor rests on the end of this piece of the text. */
const shownAt = (piece: string): Shown => {
  const info = service.getQuickInfoAtPosition(FILE, text.indexOf(piece) + piece.length - 1)
  return {
    signature: ts.displayPartsToString(info?.displayParts),
    documentation: ts.displayPartsToString(info?.documentation),
    examples: (info?.tags ?? [])
      .filter((tag) => tag.name === "example")
      .map((tag) => ts.displayPartsToString(tag.text))
  }
}

beforeAll(() => {
  const members = [...verbs, ...MEMBERS]
  type(members.map((member) => `store.${member};\n`).join(""))
  for (const member of members) shown.set(member, shownAt(`store.${member};`.slice(0, -1)))
  type(
    [...shown.values()]
      .flatMap(({ examples }) => examples.map((example) => `{\n${example}\n}\n`))
      .join("")
  )
  problems = service
    .getSemanticDiagnostics(FILE)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
}, 60_000)

describe("an editor shows what it does, why it is refused and how it is called, and nothing of Effect, for", () => {
  test.each(verbs)("store.%s", (verb) => {
    const { signature = "", documentation = "", examples = [] } = shown.get(verb) ?? {}
    expect(signature).toContain("Promise<")
    expect(signature).not.toMatch(/Effect|Generator|Operation|Plainly/)
    expect(documentation.length).toBeGreaterThan(15)
    expect(examples).toEqual([expect.stringContaining(`store.${verb}(`)])
  })

  test.each(MEMBERS)("store.%s", (member) => {
    const { signature = "", documentation = "", examples = [] } = shown.get(member) ?? {}
    expect(signature).not.toMatch(/Effect|Operation|Plainly/)
    expect(documentation.length).toBeGreaterThan(15)
    expect(examples).toHaveLength(1)
  })
})

test("every group of verbs says what it is about", () => {
  const groups = new Set(
    [...verbs, ...MEMBERS].filter((member) => member.includes(".")).map(groupOf)
  )
  type([...groups].map((group) => `store.${group};\n`).join(""))
  for (const group of groups)
    expect([group, shownAt(`store.${group}`).documentation]).not.toEqual([group, ""])
})

test("records are shown by their names", () => {
  const named = ["categories", "pets", "orders", "inventory"].map(
    (group) => shown.get(`${group}.get`)?.signature
  )
  expect(named).toEqual(
    ["Category", "Pet", "Order", "InventoryItem"].map((name) =>
      expect.stringContaining(`Promise<${name}>`)
    )
  )
  expect(shown.get("orders.place")?.signature).toContain("(order: NewOrderInput) => Promise<Order>")
  type("store.transact(function* (tx) { tx; return yield* tx.pets.get(1) })")
  expect(shownAt("{ tx").signature).toBe("(parameter) tx: TransactionApi<Shop>")
})

test("opening a store needs no word of Effect", () => {
  type(`const asked: Parameters<typeof PetStore.open>[0] = { storage: MemoryStorage.layer }
SqliteStorage.layer; asked.storage; asked.ordering; asked.transitions; asked.plans; asked.banPolicy; asked.clock; asked.randomBytes; asked.changeRetention; asked.webhooks;
`)
  const pieces = [
    "await PetStore.open",
    "MemoryStorage.layer",
    "SqliteStorage.layer",
    ...[...text.matchAll(/asked\.\w+/g)].map(String)
  ]
  expect(pieces).toHaveLength(12)
  for (const piece of pieces) {
    const { signature, documentation } = shownAt(piece)
    expect(signature).not.toMatch(/Effect|\bLayer[.<]|Clock\.|Context/)
    expect([piece, documentation.length]).toEqual([
      piece,
      expect.toSatisfy((length: number) => length > 15)
    ])
  }
})

test("every example that an editor shows compiles", () => expect(problems).toEqual([]))

/**
 * A shop with one of each that is in use, and a second category and pet that nothing refers to, for
 * examples to be about.
 */
const openSmallShop = async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  await store.categories.create({ name: "Fish" })
  await store.categories.create({ name: "Birds" })
  await store.pets.create({ name: "Goldie", categoryId: 1 })
  await store.pets.create({ name: "Nemo", categoryId: 1 })
  await store.inventory.set(1, { quantity: 12 })
  await store.orders.place({ petId: 1 })
  await store.accounts.create({ name: "Ann", plan: "pro" })
  await store.keys.create(1)
  await store.webhooks.create({ url: "https://shop.example/hooks" })
  return store
}

const runs = async (example: string): Promise<string> => {
  const body = ts.transpile(`async (store) => {\n${example}\n}`, { target: ts.ScriptTarget.ES2023 })
  const program: unknown = runInNewContext(body, { AbortSignal, console: { log: () => undefined } })
  if (typeof program !== "function") return "no program"
  return program(await openSmallShop()).then(() => "runs", String)
}

test.each([...verbs, ...MEMBERS])("the example of store.%s runs", async (member) => {
  for (const example of shown.get(member)?.examples ?? []) expect(await runs(example)).toBe("runs")
})
