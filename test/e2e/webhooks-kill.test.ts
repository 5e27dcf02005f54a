import { deliverWebhooks } from "@petstore/http-adapter/webhooks"
import { PetStore } from "@petstore/core"
import { SqliteStorage, verify as findings } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { aFile, run } from "./sqlitePrograms.js"
import { verify, webhookReceiver } from "./WebhookReceiver.js"

const SECRET = "a secret of these tests and of nobody else"

test(
  "a message whose worker is killed between its delivery and the record of it comes again, under the same id",
  {
    timeout: 30_000
  },
  async () => {
    const filename = aFile()
    const receiver = await webhookReceiver()
    const webhooks = { secret: SECRET, allowHttp: true, allowPrivateAddresses: true }
    const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }), webhooks })
    onTestFinished(() => store.close())
    const { secret } = await store.webhooks.create({ url: receiver.url })
    for (const name of ["Fish", "Birds", "Cats"]) await store.categories.create({ name })

    const dying = run("deliverAndDie", filename, SECRET)
    await dying.ended
    expect(receiver.messages.map(({ sequence }) => sequence)).toEqual([1])
    expect(await store.webhooks.get(1)).toMatchObject({ deliveredTo: 0, failures: 0 })

    const delivery = deliverWebhooks(store)
    await receiver.got(4)
    await delivery.close()
    const [first, second] = receiver.messages
    expect(receiver.messages.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3])
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
    for (const message of receiver.messages.slice(1)) expect(verify(secret, message)).toBeTruthy()
    expect(await store.webhooks.get(1)).toMatchObject({ deliveredTo: 3 })
    expect(await Effect.runPromise(findings({ filename }))).toEqual([])
  }
)
