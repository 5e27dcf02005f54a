/** Options of all commands that may need the secret of webhooks. */
import * as Options from "@effect/cli/Options"
import { optional } from "../terminal/options.js"

/** The file with the secret that those of webhooks are made from. */
export const secretFile = Options.text("webhook-secret-file").pipe(
  Options.withPseudoName("FILE"),
  Options.withDescription(
    "The file with the secret that those of webhooks are made from; unless given, what PETSTORE_WEBHOOK_SECRET says, or the file beside the store that ends with .webhook-secret, which webhooks add makes"
  ),
  optional
)
