import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeAll, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served, start } from "./petstore.js"

const folder = folders()
afterEach(killAll)

let within = ""
let db = ""
let list = ""
beforeAll(async () => {
  within = folder()
  db = join(within, "shop.db")
  list = join(within, "list.csv")
  await petstoreJson("seed", "--db", db)
  await petstoreJson("keys", "create", "--plan", "pro", "--db", db)
  writeFileSync(list, "Name,Kind\nRex,Dog\n,Cat\n")
  writeFileSync(join(within, "garbage.db"), "no store at all ".repeat(1_000))
  writeFileSync(join(within, "empty.jsonl"), "oops\n")
})

type Failure = {
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number }
}

/**
 * The object of a command that fails; it is all that stdout has, and says what stderr and the exit
 * code say.
 */
const failureOf = async (
  args: ReadonlyArray<string>,
  extra?: Readonly<Record<string, string>>
): Promise<Failure> => {
  const { code, stdout, stderr } = await petstore([...args, "--json"], extra)
  const failure: Failure = JSON.parse(stdout)
  expect(stdout.trimEnd()).not.toContain("\n")
  expect(failure.error.exitCode).toBe(code)
  expect(stderr.endsWith(`petstore: ${failure.error.message}\n`)).toBe(true)
  return failure
}

/** The code and the exit code. */
const codeOf = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { error, ...more } = await failureOf(args)
  expect(more).toEqual({})
  expect(error.message).not.toBe("")
  return `${error.code} ${error.exitCode}`
}

/** A few at a time: each is a process of its own. */
const expectCodes = async (expected: string, commands: ReadonlyArray<string>): Promise<void> => {
  for (let at = 0; at < commands.length; at += 4) {
    const some = commands.slice(at, at + 4)
    const codes = await Promise.all(some.map((command) => codeOf(...command.split(" "))))
    expect(some.map((command, each) => `${command}: ${codes[each]}`)).toEqual(
      some.map((command) => `${command}: ${expected}`)
    )
  }
}

describe("with --json, a failure is one object", { timeout: 60_000 }, () => {
  test("usage, of a command that was called wrongly", () =>
    expectCodes("usage 2", [
      "frob",
      "keys",
      "keys frob",
      "keys list --nope",
      "keys list --db",
      "keys list --db x --db y",
      "keys create",
      "keys create --plan pro --expires soon",
      "keys revoke x",
      "keys revoke",
      "keys revoke 1 2",
      "serve --port x",
      "serve --memory --db x",
      "seed --count 0",
      "backup",
      "limits explain",
      "webhooks replay 1",
      "webhooks add https://x.example --type x",
      "import list.csv",
      "import list.csv --name Name --category Kind"
    ]))

  test("no_store, where there is none", () =>
    expectCodes(
      "no_store 1",
      [
        "keys list",
        "accounts show 1",
        "limits explain --account 1",
        "history pet 1",
        "deprecations",
        "webhooks log",
        "verify",
        "backup copy.db"
      ].map((command) => `${command} --db ${join(within, "none.db")}`)
    ))

  test("the code of a refusal, or the command's own", async () => {
    const refused = (code: string, ...commands: ReadonlyArray<string>) =>
      expectCodes(
        `${code} 1`,
        commands.map((command) => `${command} --db ${db}`)
      )
    await refused(
      "not_found",
      "accounts show 9",
      "keys revoke 9",
      "webhooks show 9",
      "keys list --account 9"
    )
    await refused("validation_failed", "keys create --plan gold", "accounts set-plan 1 enterprise")
    await refused("other_plan", "keys create --account 1 --plan free")
    await refused("not_empty", "seed", "seed --count 5")
    await refused("nothing_known", "history pet 9999")
  })

  test("corrupt, of a file that is no store", async () => {
    expect(await codeOf("keys", "list", "--db", join(within, "garbage.db"))).toBe("corrupt 1")
  })

  test("unreadable_file and no_requests, of a trace", async () => {
    const replay = (file: string) => codeOf("limits", "replay", join(within, file), "--plan", "pro")
    expect(await replay("none.jsonl")).toBe("unreadable_file 1")
    expect(await replay("empty.jsonl")).toBe("no_requests 1")
  })

  test("unreadable_list and wrong_column, of a list", async () => {
    const check = (file: string, name: string) =>
      codeOf("import", file, "--name", name, "--category", "Kind", "--dry-run")
    expect(await check(join(within, "none.csv"), "Name")).toBe("unreadable_list 1")
    expect(await check(list, "Title")).toBe("wrong_column 2")
  })

  test("with what verify found", async () => {
    const { error, ...verified } = await failureOf(["verify", "--db", join(within, "garbage.db")])
    expect(error).toMatchObject({ code: "damaged", exitCode: 1 })
    expect(verified).toMatchObject({ ok: false, findings: [{ check: "opening" }] })
  })

  test("with what an import did until it stopped", async () => {
    const shop = await served("--memory", "--demo-plan", "free")
    const long = join(within, "long.csv")
    writeFileSync(long, `Name,Kind\n${"Rex,Dog\n".repeat(5_000)}`)
    const args = ["import", long, "--name", "Name", "--category", "Kind", "--url", shop.url]
    const key = { PETSTORE_KEY: shop.key }
    const { error, ...outcome } = await failureOf([...args, "--max-wait", "0"], key)
    expect(error).toMatchObject({ code: "import_stopped", exitCode: 1 })
    expect(outcome).toMatchObject({ rows: 5_000, complete: false, stopped: error.message })

    const { child, output, ended } = start([...args, "--json"], key)
    while (!output.stderr.includes("Waiting")) await sleep(5)
    child.kill("SIGINT")
    const { code, stdout } = await ended
    const interrupted: Failure = JSON.parse(stdout)
    expect([code, interrupted]).toMatchObject([
      130,
      { complete: false, error: { code: "interrupted", exitCode: 130 } }
    ])
  })

  test("but a dry run that is stopped by a signal ends at once and says nothing", async () => {
    const huge = join(within, "huge.csv")
    writeFileSync(huge, `Name,Kind\n${"Rex,Dog\n".repeat(2_000_000)}`)
    const dryRun = ["import", huge, "--name", "Name", "--category", "Kind", "--dry-run", "--json"]
    const { child, ended } = start(dryRun)
    await sleep(1_000)
    child.kill("SIGTERM")
    expect(await ended).toEqual({ code: null, stdout: "", stderr: "" })
  })

  test("and a success has no error in it", async () => {
    expect(await petstoreJson("verify", "--db", db)).not.toHaveProperty("error")
  })
})

describe("arguments", { timeout: 60_000 }, () => {
  const said = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, stdout, stderr } = await petstore(args)
    expect([code, stdout]).toEqual([2, ""])
    return stderr
  }

  test("missing arguments are named with their placeholders, and extra ones are quoted", async () => {
    expect(await said("import", "-")).toBe(
      "petstore: --name COLUMN and --category COLUMN are needed (petstore import --help says what there is)\n"
    )
    expect(await said("history")).toContain(
      "petstore: KIND and ID are needed (petstore history --help"
    )
    expect(await said("limits", "explain")).toContain("petstore: --account ID is needed (")
    expect(await said("verify", "x")).toContain("petstore: it takes no arguments, got 'x' (")
    expect(await said("backup", "a.db", "b.db")).toContain(
      "it takes DEST and no more, got 'b.db' ("
    )
  })

  test("an option that is given twice is said to be", async () => {
    expect(await said("keys", "create", "--plan", "pro", "--plan", "free")).toBe(
      "petstore: --plan is given twice; it can be given once (petstore keys create --help says what there is)\n"
    )
    expect(await said("serve", "--port=1", "--PORT", "2")).toContain("--port is given twice")
    expect(await said("verify", "--json=false", "--json=false")).toContain("--json is given twice")
  })

  test("an option without its value is said to need one", async () => {
    expect(await said("seed", "--count")).toContain("petstore: --count needs a value (")
    expect(await said("keys", "create", "--db", "--plan", "pro")).toContain("--db needs a value; ")
  })

  test("a command that a group does not have is answered with those of the group", async () => {
    expect(await said("keys", "frob")).toBe(
      "petstore: petstore keys has no command 'frob'. There are create, disable, enable, expire, list, revoke, rotate\n"
    )
    expect(await said("webhooks", "lst")).toContain("Did you mean list?")
    expect(await said("srve")).toContain("Did you mean serve?")
  })

  test("a lone - is an argument, and a number after a switch is one too", async () => {
    const stdin = await said("import", "-", "--name", "Name", "--category", "Kind")
    expect(stdin).toContain("petstore: --key KEY, or PETSTORE_KEY")
    const replayed = await petstore(["limits", "replay", "-", "--plan", "pro"])
    expect([replayed.code, replayed.stderr]).toEqual([1, "petstore: - has no requests in it\n"])
    const { code, stdout } = await petstore(["accounts", "show", "--json", "1", "--db", db])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 1 }])
  })
})

describe("a redirect", { timeout: 60_000 }, () => {
  const redirecting = async (location: (path: string) => string | undefined) => {
    const keys: Array<unknown> = []
    const server = createServer((request, response) => {
      keys.push(request.headers["x-api-key"])
      const to = location(request.url ?? "")
      response.writeHead(301, to === undefined ? {} : { location: to }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    const args = ["import", list, "--name", "Name", "--category", "Kind", "--url", url, "--restart"]
    const { code, stderr } = await petstore(args, { PETSTORE_KEY: "ps_0" })
    server.close()
    return { code, said: stderr, keys }
  }

  test("ends an import with where the service is", async () => {
    const { code, said, keys } = await redirecting((path) => `https://shop.example/api${path}`)
    expect([code, said]).toEqual([
      1,
      "petstore: the service answers 301: it is at https://shop.example/api; give that with --url\n"
    ])
    expect(keys).toEqual(["ps_0"])
  })

  test("to somewhere else, or nowhere, is said too", async () => {
    expect((await redirecting(() => "/sign-in?x=1")).said).toMatch(
      /^petstore: the service answers 301 and points to http:\/\/127\.0\.0\.1:\d+\/sign-in\?x=1: is --url right\?\n$/
    )
    expect((await redirecting(() => "https://me:secret@shop.example/")).said).not.toContain(
      "secret"
    )
    expect((await redirecting(() => undefined)).said).toContain(
      "the service answers 301, and not where"
    )
  })
})

describe("white space around a secret", { timeout: 60_000 }, () => {
  test("is no part of a key, in an option or a variable", async () => {
    const shop = await served("--db", db)
    const { key } = await petstoreJson<{ key: string }>(
      "keys",
      "create",
      "--plan",
      "pro",
      "--db",
      db
    )
    const args = [
      "import",
      list,
      "--name",
      "Name",
      "--category",
      "Kind",
      "--url",
      shop.url,
      "--restart"
    ]
    expect(await petstore([...args, "--json"], { PETSTORE_KEY: `${key}\n` })).toMatchObject({
      code: 0
    })
    expect(await petstore([...args, "--key", ` ${key}\r\n`])).toMatchObject({ code: 0 })
    const blank = await petstore(args, { PETSTORE_KEY: " \n" })
    expect([blank.code, blank.stderr]).toEqual([
      2,
      expect.stringContaining("--key KEY, or PETSTORE_KEY")
    ])
    const inner = await petstore(args, { PETSTORE_KEY: `${key}\n${key}` })
    expect([inner.code, inner.stderr]).toEqual([
      2,
      "petstore: the key has a character in it that no key has\n"
    ])
  })

  test("is no part of the secret for webhooks, in a variable, a file, or the file beside the store", async () => {
    const text = "a secret of more than twenty-four characters"
    const secretFile = join(within, "secret")
    writeFileSync(secretFile, `  ${text}\r\n\n`, { mode: 0o600 })
    const shop = join(folder(), "hooks.db")
    await petstoreJson("keys", "create", "--plan", "pro", "--db", shop)
    const sent: Array<string> = []
    const receiver = createServer((request, response) => {
      sent.push(String(request.headers["webhook-id"]))
      response.end()
      request.resume()
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    const address = receiver.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`
    const add = ["webhooks", "add", url, "--allow-http", "--allow-private", "--db", shop]
    expect(await petstore(add, { PETSTORE_WEBHOOK_SECRET: `${text}\n` })).toMatchObject({ code: 0 })
    // A webhook that was made with another secret is sent nothing.
    writeFileSync(`${shop}.webhook-secret`, readFileSync(secretFile), { mode: 0o600 })
    const serving = ["--db", shop, "--demo", "--allow-http-webhooks", "--allow-private-webhooks"]
    for (const [at, more] of [[], ["--webhook-secret-file", secretFile]].entries()) {
      const { call, child, ended } = await served(...serving, ...more)
      const body = JSON.stringify({ name: `Kind ${at}` })
      expect((await call("/categories", { method: "POST", body })).status).toBe(201)
      const before = sent.length
      await expect.poll(() => sent.length).toBeGreaterThan(before)
      child.kill("SIGTERM")
      await ended
    }
    receiver.close()
  })
})
