/**
 * Delivers the webhooks of the store in FILE, and ends by SIGKILL as soon as a receiver has
 * answered, before that is written down. Its clock is a minute late, so that what it holds is
 * nobody's any more by the time others look.
 */
import { PetStore } from "@petstore/core"
import { deliverWebhooks, httpSender } from "@petstore/http-adapter/webhooks"
import { SqliteStorage } from "@petstore/storage-sqlite"

const [filename = "", secret = ""] = process.argv.slice(2)
const clock = () => Date.now() - 60_000
const store = await PetStore.open({
  storage: SqliteStorage.layer({ filename }),
  webhooks: { secret, allowHttp: true, allowPrivateAddresses: true },
  clock
})

const sender = httpSender({ nowMs: clock })
deliverWebhooks(store, {
  sender: {
    close: sender.close,
    send: async (message, signal) => {
      await sender.send(message, signal)
      process.kill(process.pid, "SIGKILL")
      throw new Error("killed")
    }
  }
})
