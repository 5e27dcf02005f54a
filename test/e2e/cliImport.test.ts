import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { killAll, launcher, petstore, served, start } from "./petstore.js"

const root = mkdtempSync(join(tmpdir(), "petstore-e2e-"))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(killAll)

let list = ""
beforeEach(() => {
  list = join(mkdtempSync(join(root, "run-")), "list.csv")
})

const KINDS = ["Dog", "Cat", "Rabbit, dwarf", 'Parrot "grey"']
const OUTCOMES = { Adoption: "sold", "Return to owner": "pending", "": "available" } as const
const STATUS_MAP = "Adoption=sold,Return to owner=pending,=available"

type Line = {
  readonly name: string
  readonly kind: string
  readonly outcome: keyof typeof OUTCOMES
}

/**
 * Every tenth animal has no name; some names have quotes, commas, line breaks and every kind of
 * letter.
 */
const NAMES = [
  "Bella",
  'O"Malley',
  "Max, the second",
  "Zoë",
  "two\r\nlines",
  "🐕 Fido",
  "Bella",
  "小白",
  "Rex"
]
const OUTCOME_VALUES = ["Adoption", "Return to owner", ""] as const

const lines = (count: number): ReadonlyArray<Line> =>
  Array.from({ length: count }, (_, at) => ({
    name: at % 10 === 9 ? " " : (NAMES[at % NAMES.length] ?? ""),
    kind: KINDS[at % KINDS.length] ?? "",
    outcome: OUTCOME_VALUES[at % 3] ?? ""
  }))

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const csv = (all: ReadonlyArray<Line>) =>
  `\ufeffId,${quoted("Animal's Name")},Kind,Outcome\r\n${all
    .map(({ name, kind, outcome }, at) => `${at},${quoted(name)},${quoted(kind)},${outcome}\r\n`)
    .join("")}`

const args = (url: string, ...more: ReadonlyArray<string>) => [
  "import",
  list,
  "--name",
  "Animal's Name",
  "--category=Kind",
  "--status=Outcome",
  "--status-map",
  STATUS_MAP,
  `--url=${url}`,
  ...more
]

type Outcome = {
  readonly loaded: number
  readonly loadedBefore: number
  readonly refused: number
  readonly complete: boolean
  readonly refusedLines: ReadonlyArray<{
    readonly line: number
    readonly code: string
    readonly message: string
  }>
}

const outcomeOf = (stdout: string): Outcome => JSON.parse(stdout)

type Shop = Awaited<ReturnType<typeof served>>

const total = async (shop: Shop, query: string): Promise<number> =>
  Number((await shop.call(`/pets?limit=1&total=true${query}`)).headers.get("x-total-count"))

const expectAllLoadedOnce = async (shop: Shop, all: ReadonlyArray<Line>) => {
  const named = all.filter((line) => line.name.trim() !== "")
  expect(await total(shop, "")).toBe(named.length)
  const listed = await (await shop.call("/categories")).text()
  const categories: ReadonlyArray<{ id: number; name: string }> = JSON.parse(listed)
  expect(categories.map((category) => category.name).sort()).toEqual([...KINDS].sort())
  for (const { id, name } of categories) {
    for (const [outcome, status] of Object.entries(OUTCOMES)) {
      const counted = named.filter((line) => line.kind === name && line.outcome === outcome).length
      expect(await total(shop, `&categoryId=${id}&status=${status}`), `${name} ${status}`).toBe(
        counted
      )
    }
  }
}

describe("petstore import", { timeout: 60_000 }, () => {
  test("loads a list, reports every refused line, and run again loads nothing twice", async () => {
    const shop = await served("--memory")
    const all = lines(500)
    writeFileSync(list, csv(all))
    const first = await petstore(args(shop.url, "--json"), { PETSTORE_KEY: shop.key })
    expect(first.stderr).toBe("")
    expect(first.code).toBe(0)
    const outcome = outcomeOf(first.stdout)
    expect(outcome).toMatchObject({ loaded: 450, loadedBefore: 0, refused: 50, complete: true })
    expect(outcome.refusedLines[0]).toMatchObject({ line: 12, code: "validation_failed" })
    expect(readFileSync(`${list}.refused.csv`, "utf8").trimEnd().split("\r\n").length).toBe(51)
    expect(readFileSync(`${list}.progress.jsonl`, "utf8")).not.toContain(shop.key)
    await expectAllLoadedOnce(shop, all)

    const second = await petstore(args(shop.url, "--key", shop.key))
    expect(second.code).toBe(0)
    expect(second.stdout).toContain("Nothing was left to load, of 500 lines: 450 by earlier runs.")
    expect(second.stdout).toContain("REFUSED: 50 lines")
    expect(second.stdout).not.toContain("\u001b")
    await expectAllLoadedOnce(shop, all)
  })

  test("killed again and again, resumes where it stopped and loads no line twice", async () => {
    const shop = await served("--memory")
    const all = lines(4_000)
    writeFileSync(list, csv(all))
    for (let kills = 1; kills <= 3; kills++) {
      const run = start(args(shop.url), { PETSTORE_KEY: shop.key })
      while ((await total(shop, "")) < kills * 300) await sleep(1)
      run.child.kill("SIGKILL")
      expect((await run.ended).code).toBeNull()
    }
    const { code, stdout } = await petstore(args(shop.url, "--json"), { PETSTORE_KEY: shop.key })
    expect(code).toBe(0)
    expect(outcomeOf(stdout).complete).toBe(true)
    expect(outcomeOf(stdout).loadedBefore).toBeGreaterThan(500)
    await expectAllLoadedOnce(shop, all)
  })

  test("stopped by SIGTERM records what is under way, says what is left, and ends with 143", async () => {
    const shop = await served("--memory")
    const all = lines(4_000)
    writeFileSync(list, csv(all))
    const run = start(args(shop.url), { PETSTORE_KEY: shop.key })
    while ((await total(shop, "")) < 200) await sleep(1)
    run.child.kill("SIGTERM")
    const { code, stdout, stderr } = await run.ended
    expect(code).toBe(143)
    expect(stdout).toContain("NOT FINISHED")
    expect(stderr).toContain("petstore: interrupted\n")
    expect((await petstore(args(shop.url), { PETSTORE_KEY: shop.key })).code).toBe(0)
    await expectAllLoadedOnce(shop, all)
  })

  test("stops at a limit that lasts longer than it may wait, and says that the same command continues later", async () => {
    const shop = await served("--memory", "--demo-plan", "free")
    writeFileSync(list, csv(lines(100)))
    const { code, stdout, stderr } = await petstore(args(shop.url, "--max-wait", "0"), {
      PETSTORE_KEY: shop.key
    })
    expect(code).toBe(1)
    expect(stdout).toContain("NOT FINISHED")
    expect(stderr).toContain("the rate limit is reached; it asks to wait")
  })

  test("--dry-run says what would be refused and sends nothing", async () => {
    writeFileSync(list, csv(lines(20)))
    const { code, stdout } = await petstore(args("http://127.0.0.1:9", "--dry-run"))
    expect(code).toBe(0)
    expect(stdout).toContain("18 of 20 lines can be loaded. Nothing was sent.")
    expect(existsSync(`${list}.progress.jsonl`)).toBe(false)
  })

  test("reports the problem in one line: no key, a wrong key, no server, no such file, no such column", async () => {
    const shop = await served("--memory")
    writeFileSync(list, csv(lines(20)))
    const ended = async (given: ReadonlyArray<string>, key?: string) => {
      const { code, stderr } = await petstore(given, key === undefined ? {} : { PETSTORE_KEY: key })
      return `${code} ${stderr.trimEnd().split("\n").at(-1)}`
    }
    expect(await ended(args(shop.url))).toMatch(/^2 petstore: --key KEY, or PETSTORE_KEY/)
    expect(await ended(args(shop.url), "ps_nonsense")).toMatch(
      /^1 petstore: the service says 401 invalid_key/
    )
    // None of these has begun to load anything, so the same progress file does for all of them.
    expect(await ended(args("http://127.0.0.1:9"), shop.key)).toMatch(
      /^1 petstore: nothing listens there/
    )
    expect(
      await ended(
        args(shop.url).map((arg) => arg.replace("=Kind", "=Type")),
        shop.key
      )
    ).toMatch(
      /^2 petstore: .*: the list has no column 'Type'; it has 'Id', 'Animal's Name', 'Kind', 'Outcome'$/
    )
    rmSync(list)
    expect(await ended(args(shop.url), shop.key)).toMatch(
      /^1 petstore: .*list\.csv: there is no such file$/
    )
  })

  test("leaves a report that spreadsheets show as it is, and that can be corrected and imported in its turn", async () => {
    const shop = await served("--memory")
    const key = { PETSTORE_KEY: shop.key }
    writeFileSync(
      list,
      "sep=;\r\nName;Kind;Outcome\r\n=1+1;Dog;gone\r\n-Zoë;Dog;Adoption\r\n@Max;Dog;gone\r\n"
    )
    const how = [
      "--name=Name",
      "--category=Kind",
      "--status=Outcome",
      "--status-map",
      "Adoption=sold"
    ]
    const first = await petstore(["import", list, ...how, `--url=${shop.url}`, "--json"], key)
    expect(outcomeOf(first.stdout)).toMatchObject({ loaded: 1, refused: 2 })
    const report = readFileSync(`${list}.refused.csv`, "utf8")
    expect(report.split("\r\n").map((line) => line.split(";").slice(0, 3))).toEqual([
      ["\ufeffline", "name", "code"],
      ["3", "'=1+1", "unknown_status"],
      ["5", "'@Max", "unknown_status"],
      [""]
    ])
    writeFileSync(`${list}.refused.csv`, report.replaceAll("gone", "Adoption"))
    const again = [
      "--name=name",
      "--category=category",
      "--status=status",
      "--status-map",
      "Adoption=sold"
    ]
    const second = await petstore(
      ["import", `${list}.refused.csv`, ...again, `--url=${shop.url}`, "--json"],
      key
    )
    expect(outcomeOf(second.stdout)).toMatchObject({ loaded: 2, refused: 0 })
    const pets: ReadonlyArray<{ name: string }> = JSON.parse(
      await (await shop.call("/pets?status=sold")).text()
    )
    expect(pets.map(({ name }) => name).sort()).toEqual(["-Zoë", "=1+1", "@Max"])
  })

  test("does not write the report over its list, nor forget a list that is named as its progress", async () => {
    writeFileSync(list, csv(lines(20)))
    const over = await petstore(args("http://127.0.0.1:9", "--dry-run", `--report=${list}`))
    expect([over.code, over.stderr]).toEqual([
      2,
      expect.stringContaining("is another file of this import")
    ])
    const lost = await petstore(args("http://127.0.0.1:9", "--restart", `--progress=${list}`), {
      PETSTORE_KEY: "ps_some"
    })
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining("is not a progress file")])
    expect(readFileSync(list, "utf8")).toBe(csv(lines(20)))
  })

  describe.skipIf(process.platform === "win32")("of what can be read once", () => {
    /**
     * Runs a shell with the command as $0 and its arguments, and the list's folder as the current
     * one.
     */
    const shell = (script: string, shop: Shop, ...more: ReadonlyArray<string>) => {
      const how = args(shop.url, "--json", ...more).slice(2)
      const child = spawn("bash", ["-c", script, process.execPath, launcher, ...how], {
        cwd: dirname(list),
        env: { ...process.env, PETSTORE_KEY: shop.key, LIST: list },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const said = { stdout: "", stderr: "" }
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text))
      return once(child, "close").then(([code]: ReadonlyArray<unknown>) => ({ code, ...said }))
    }

    test.each([
      ["a process substitution", '"$0" "$1" import <(gzip -dc "$LIST.gz") "${@:2}"'],
      ["standard input from a pipe", 'gzip -dc "$LIST.gz" | "$0" "$1" import /dev/stdin "${@:2}"'],
      ["standard input from a file", '"$0" "$1" import - "${@:2}" < "$LIST"']
    ])("loads what the dry run promises: %s", async (_, script) => {
      const shop = await served("--memory")
      const all = lines(500)
      writeFileSync(list, csv(all))
      writeFileSync(`${list}.gz`, gzipSync(csv(all)))
      const dry = await shell(script, shop, "--dry-run")
      expect(dry.stderr).toBe("")
      expect(outcomeOf(dry.stdout)).toMatchObject({ loaded: 450, refused: 50 })
      const first = await shell(script, shop)
      expect(first.stderr).toMatch(
        /^What is loaded is recorded in petstore-import-[0-9a-f]{12}\.progress\.jsonl\.\n$/
      )
      expect(outcomeOf(first.stdout)).toMatchObject({ loaded: 450, loadedBefore: 0, refused: 50 })
      const second = await shell(script, shop)
      expect(outcomeOf(second.stdout)).toMatchObject({ loaded: 0, loadedBefore: 450, refused: 50 })
      await expectAllLoadedOnce(shop, all)
      const files = readdirSync(dirname(list)).map((name) => name.replace(/-[0-9a-f]{12}/, ""))
      expect(files.sort()).toEqual([
        "list.csv",
        "list.csv.gz",
        "petstore-import.progress.jsonl",
        "petstore-import.refused.csv"
      ])
    })
  })

  test("waits for standard input no longer than until it is stopped", async () => {
    const run = spawn(
      process.execPath,
      [launcher, ...args("http://127.0.0.1:9").with(1, "/dev/stdin")],
      {
        env: { ...process.env, PETSTORE_KEY: "ps_some" }
      }
    )
    let stderr = ""
    run.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    // More than is taken before the command reads it, so that it reads by now, and waits for more.
    const rows = "Rex,Dog,\n".repeat(1_000_000)
    await new Promise((resolve) => run.stdin.write(`Animal's Name,Kind,Outcome\n${rows}`, resolve))
    run.kill("SIGTERM")
    expect(await once(run, "close")).toEqual([143, null])
    expect(stderr).toContain("petstore: interrupted")
  })

  test("says in the dry run what would keep it from recording, and of a pipe that was not passed on how to go about it", async () => {
    writeFileSync(list, csv(lines(20)))
    const elsewhere = `--progress=${join(dirname(list), "missing", "progress.jsonl")}`
    const dry = await petstore(args("http://127.0.0.1:9", "--dry-run", elsewhere))
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^The import could not write .*: name another file with --progress\.\n$/
      )
    ])
    const lost = await petstore(args("http://127.0.0.1:9", "--dry-run").with(1, "/dev/fd/9999"))
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining("… | petstore import -")])
  })

  test("begun several times at once, loads every line once, and leaves no lock", async () => {
    const shop = await served("--memory")
    const all = lines(300)
    writeFileSync(list, csv(all))
    const lockFile = `${list}.progress.jsonl.lock`
    writeFileSync(lockFile, String(process.pid)) // as left by a process of this id
    const key = { PETSTORE_KEY: shop.key }
    const runs = await Promise.all(Array.from({ length: 4 }, () => petstore(args(shop.url), key)))
    for (const { code, stderr } of runs)
      expect(code === 0 ? "importing with it" : stderr).toContain("importing with it")
    expect(runs.some(({ code }) => code === 0)).toBe(true)
    await expectAllLoadedOnce(shop, all)
    expect(readdirSync(dirname(list)).filter((name) => name.includes(".lock"))).toEqual([])
  })
})
