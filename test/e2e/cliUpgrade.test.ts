/** An upgrade from the schema of the version before, with a server of that version running. */
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { openSqlite } from "./openSqlite.js"
import { afterEach, describe, expect, test } from "vitest"
import { shop } from "./firstSchema.js"
import { STEPS } from "../../packages/storage-sqlite/src/migrations/steps.js"
import {
  APPLICATION_ID,
  newUserVersion
} from "../../packages/storage-sqlite/src/migrations/version.js"
import { folders } from "./aFolder.js"
import { foreignSqlite, hasForeignSqlite, holding, unlessForeignSqlite } from "./foreignSqlite.js"
import { killAll, petstore, petstoreJson, served, start } from "./petstore.js"
import { LONG, run } from "./sqlitePrograms.js"

const folder = folders()
afterEach(killAll)

/** The schemas of the version before this one and of this one. */
const [BEFORE, NOW] = [STEPS.length, STEPS.length + 1]

const anOlderFile = (pets = 0): string => {
  const filename = join(folder(), "shop.db")
  const file = openSqlite(filename)
  file.pragma("page_size = 2048")
  file.pragma("journal_mode = WAL")
  file.withWritableSchema(() => {
    file.exec(shop)
    for (const { sql } of STEPS.slice(0, -1)) file.exec(sql)
  })
  file.pragma(`application_id = ${APPLICATION_ID}`)
  file.pragma(`user_version = ${newUserVersion(BEFORE)}`)
  if (pets > 0) {
    file.exec(`
      INSERT INTO categories (revision, name) VALUES (1, 'Dogs');
      INSERT INTO changes (revision, at_ms, type, kind, record_id, after) VALUES (1, 0, 0, 1, 1, '[1,1,1,"Dogs",null,null]');
      INSERT INTO pets (revision, name, category_id, status, on_order, sold)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${pets}) SELECT 1, 'Rex', 1, 0, 0, 0 FROM n;
      INSERT INTO changes (revision, at_ms, type, kind, record_id, after)
        SELECT 1, 0, 0, 0, id, json_array(0, id, 1, 'Rex', NULL, 1, 0, 0, 0) FROM pets;
      INSERT INTO kept_totals VALUES ('pets_status', 0, 0, ${pets}), ('pets_category_status', 1, 0, ${pets});
      UPDATE kept_totals SET count = ${pets} WHERE tally = 'pets';`)
  }
  file.close()
  return filename
}

const schemaOf = (filename: string): number => {
  const file = openSqlite(filename)
  const version = Number(file.pragma("user_version"))
  file.close()
  return version & 0xff
}

const idsIn = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename)
  const ids = file.values("SELECT id FROM categories ORDER BY id").all()
  file.close()
  return ids
}

/** Of each table of both schemas that has any: how many rows, and a digest of all their values. */
const rowsIn = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename)
  const found = ["categories", "pets", "changes", "kept_totals"].map((table) => {
    const rows = file.rows(`SELECT * FROM ${table}`).all()
    return [table, rows.length, createHash("sha256").update(JSON.stringify(rows)).digest("hex")]
  })
  file.close()
  return found
}

const acknowledged = (said: ReadonlyArray<string>): ReadonlyArray<number> =>
  said.filter((line) => line.startsWith("added")).map((line) => Number(line.split(" ")[1]))

const beside = (filename: string): ReadonlyArray<string> =>
  readdirSync(dirname(filename)).filter(
    (name) => !name.startsWith(`${basename(filename)}-`) && name !== basename(filename)
  )

const codeOf = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout).error?.code

describe("while a server of the version before runs", { timeout: 120_000 }, () => {
  test("no command changes the schema under it, an upgrade is refused, and it loses nothing", async () => {
    const filename = anOlderFile()
    const old = run("oldServer", filename, BEFORE)
    await old.says("added")
    for (const args of [
      ["history", "pet", "1"],
      ["keys", "list"],
      ["keys", "create", "--plan", "free"],
      ["verify"],
      ["limits", "explain", "--account", "1"]
    ]) {
      const ended = await petstore([...args, "--db", filename, "--json"])
      expect([args[0], ended.code, codeOf(ended)]).toEqual([args[0], 1, "older_version"])
      expect(ended.stderr).toContain(`run: petstore upgrade --db ${filename}`)
    }
    const serving = await petstore(["serve", "--port", "0", "--db", filename])
    expect([serving.code, serving.stdout]).toEqual([1, ""])
    expect(serving.stderr).toContain("petstore upgrade")
    const refused = await petstore(["upgrade", "--db", filename, "--json"])
    expect([refused.code, codeOf(refused)]).toEqual([1, "busy"])
    expect(refused.stderr).toMatch(
      /is open in another process.* stop its servers first \(petstore status --db/
    )

    const copy = join(dirname(filename), "copy.db")
    expect(await petstoreJson("backup", copy, "--db", filename)).toMatchObject({ verified: true })
    expect([schemaOf(copy), beside(filename)]).toEqual([BEFORE, ["copy.db"]])

    const told = old.said.length
    await old.says("added")
    expect(old.child.exitCode).toBeNull()
    old.child.kill("SIGKILL")
    await old.ended
    expect(acknowledged(old.said).length).toBeGreaterThanOrEqual(told)
    expect(idsIn(filename)).toEqual(expect.arrayContaining([...acknowledged(old.said)]))
  })
})

describe.skipIf(!hasForeignSqlite)(
  `an older store that another SQLite uses${unlessForeignSqlite}`,
  { timeout: 120_000 },
  () => {
    const IDS = "SELECT group_concat(id) FROM (SELECT id FROM categories ORDER BY id)"

    test("is not upgraded while that has it open, and has all that was acknowledged afterwards", async () => {
      const filename = anOlderFile()
      const old = run("oldServer", filename, BEFORE)
      await old.says("added 20")
      old.child.kill("SIGKILL")
      await old.ended
      const foreign = await holding(filename, IDS)
      const ids = await foreignSqlite(filename, IDS)
      const refused = await petstore(["upgrade", "--db", filename, "--json"])
      expect([refused.code, codeOf(refused)]).toEqual([1, "busy"])
      await foreign.kill()
      expect(schemaOf(filename)).toBe(STEPS.length)
      const upgraded = await petstoreJson("upgrade", "--db", filename)
      expect(upgraded).toMatchObject({ from: BEFORE, to: NOW })
      expect(await foreignSqlite(filename, IDS)).toBe(ids)
      expect(ids.split(",").map(Number)).toEqual(
        expect.arrayContaining([...acknowledged(old.said)])
      )
    })
  }
)

describe("petstore upgrade", { timeout: 120_000 }, () => {
  test("of a store whose server was killed is tried first, then done, and can be gone back on", async () => {
    const filename = anOlderFile(500)
    const old = run("oldServer", filename, BEFORE)
    await old.says("added 20")
    old.child.kill("SIGKILL")
    await old.ended
    const ids = acknowledged(old.said)

    const tried = await petstore(["upgrade", "--dry-run", "--db", filename])
    expect([tried.code, tried.stdout]).toEqual([
      0,
      expect.stringMatching(
        `has schema ${BEFORE}\\. A copy of it was upgraded to ${NOW}, checked, and is intact; .* is unchanged`
      )
    ])
    expect([schemaOf(filename), beside(filename)]).toEqual([BEFORE, []])

    const done = await petstoreJson<{ readonly backup: string }>("upgrade", "--db", filename)
    expect(done).toMatchObject({ from: BEFORE, to: NOW, changed: true })
    expect(beside(filename)).toEqual([basename(done.backup)])
    expect(schemaOf(done.backup)).toBe(BEFORE)
    expect(idsIn(filename)).toEqual(expect.arrayContaining([...ids]))
    expect(await petstoreJson("verify", "--db", filename)).toMatchObject({ ok: true })
    expect(await petstoreJson("upgrade", "--db", filename)).toMatchObject({
      from: NOW,
      to: NOW,
      changed: false
    })

    const shopNow = await served("--db", filename)
    expect((await shopNow.call("/pets?limit=1")).status).toBe(200)
    shopNow.child.kill("SIGTERM")
    await shopNow.ended
    const back = await petstoreJson("restore", done.backup, "--db", filename)
    expect(back).toMatchObject({ schema: BEFORE, needsUpgrade: true })
    expect(idsIn(filename)).toEqual(expect.arrayContaining([...ids]))
  })

  test("leaves a store of either version with all its rows, and whole copies, whenever it is killed", async () => {
    const original = anOlderFile(20_000)
    const rows = rowsIn(original)
    const rounds = LONG ? 60 : 8
    for (let round = 0; round < rounds; round++) {
      const filename = join(folder(), "shop.db")
      copyFileSync(original, filename)
      const { child, ended } = start(["upgrade", "--db", filename])
      await new Promise((resolve) => setTimeout(resolve, 150 + (round / rounds) * 1_500))
      child.kill("SIGKILL")
      await ended
      const schema = schemaOf(filename)
      expect([BEFORE, NOW]).toContain(schema)
      expect(rowsIn(filename)).toEqual(rows)
      expect(await petstoreJson("upgrade", "--db", filename)).toMatchObject({
        from: schema,
        to: NOW
      })
      expect(rowsIn(filename)).toEqual(rows)
      expect(await petstoreJson("verify", "--db", filename)).toMatchObject({ ok: true })
      for (const copy of beside(filename).filter((name) => !name.includes(".new-"))) {
        expect(rowsIn(join(dirname(filename), copy))).toEqual(rows)
      }
      if (schema === BEFORE)
        expect(beside(filename).filter((name) => name.includes(".new-"))).toEqual([])
    }
  })

  test("replaces no file with its copy, and takes both options for the copy for a mistake", async () => {
    const filename = anOlderFile()
    const taken = join(dirname(filename), "taken.db")
    writeFileSync(taken, "mine")
    const refused = await petstore(["upgrade", "--db", filename, "--backup", taken])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("exists already")])
    expect(schemaOf(filename)).toBe(BEFORE)
    const both = await petstore(["upgrade", "--db", filename, "--backup", taken, "--no-backup"])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("exclude each other")])
    const missing = await petstore(["upgrade", "--db", `${filename}.missing`])
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining("there is no store at")
    ])
    expect(existsSync(`${filename}.missing`)).toBe(false)
  })
})

describe("petstore serve --upgrade", { timeout: 120_000 }, () => {
  test.each([1, 3])(
    "upgrades once, with a copy, and then serves by %i workers",
    async (workers) => {
      const filename = anOlderFile(100)
      const shopNow = await served("--db", filename, "--upgrade", "--workers", String(workers))
      expect(shopNow.output.stderr).toContain(
        ` is upgraded from schema ${BEFORE} to ${NOW}.\npetstore: The store before the upgrade is in `
      )
      expect((await shopNow.call("/pets?limit=1")).status).toBe(200)
      expect(beside(filename)).toHaveLength(1)
      shopNow.child.kill("SIGTERM")
      expect((await shopNow.ended).code).toBe(0)
      const again = await served("--db", filename, "--upgrade", "--workers", String(workers))
      expect(again.output.stderr).not.toContain("upgraded")
      expect(beside(filename)).toHaveLength(1)
    }
  )

  test("makes a new store where there is none", async () => {
    const filename = join(folder(), "new.db")
    const shopNow = await served("--db", filename, "--upgrade")
    expect((await shopNow.call("/pets")).status).toBe(200)
    expect(beside(filename)).toEqual([])
  })
})
