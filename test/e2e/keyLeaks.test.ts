import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { afterEach, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { killAll, served } from "./petstore.js"

const folder = folders()
afterEach(killAll)

test(
  "a key that was sent in every place, right and wrong, is in no output, no file and no answer",
  {
    timeout: 30_000
  },
  async () => {
    const filename = join(folder(), "pets.db")
    const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
    const account = await store.accounts.create({ plan: "business" })
    const { key, id } = await store.keys.create(account.id, { name: "Till" })
    const { key: next } = await store.keys.rotate(id, { overlapMs: 3_600_000 })
    await store.close()

    const { url, output, child, ended } = await served("--db", filename)
    const json = { "content-type": "application/json" }
    const requests: ReadonlyArray<readonly [string, RequestInit]> = [key, next].flatMap((sent) => [
      ["/pets", { headers: { "x-api-key": sent } }],
      ["/pets/99", { headers: { authorization: `Bearer ${sent}` } }],
      ["/pets", { headers: { "x-api-key": `${sent}x` } }],
      ["/pets", { headers: { authorization: `Basic ${sent}` } }],
      ["/pets", { headers: { cookie: `key=${sent}` } }],
      [`/pets?api_key=${sent}`, { headers: { "x-api-key": sent } }],
      [`/pets/${sent}`, { headers: { "x-api-key": sent } }],
      [`/${sent}`, {}],
      ["/pets", { headers: { "x-api-key": sent, "x-request-id": "r", "x-api-version": sent } }],
      [
        "/pets",
        {
          method: "POST",
          headers: { "x-api-key": sent, ...json },
          body: `{"name":1,"${sent}":"${sent}"}`
        }
      ],
      ["/pets", { method: "POST", headers: { "x-api-key": sent, ...json }, body: sent }]
    ])
    const answers = await Promise.all(
      requests.map(async ([target, init]) => {
        const response = await fetch(url + target, init)
        return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
      })
    )
    expect(answers.some((answer) => answer.startsWith("200"))).toBe(true)
    expect(answers.filter((answer) => answer.startsWith("5"))).toEqual([])
    child.kill("SIGTERM")
    await ended

    const files = [filename, `${filename}-wal`]
      .filter(existsSync)
      .map((path) => readFileSync(path, "latin1"))
    for (const text of [...answers, output.stdout, output.stderr, ...files]) {
      for (const secret of [key, next])
        expect(text.includes(secret.slice(0, 12)), text.slice(0, 300)).toBe(false)
    }
  }
)
