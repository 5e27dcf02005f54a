/** The option of all commands that may need the secret for webhooks. */
import * as Options from "@effect/cli/Options"
import { optional } from "../terminal/options.js"

/** The signing secrets of webhooks are derived from the secret in this file. */
export const secretFile = Options.text("webhook-secret-file").pipe(
  Options.withPseudoName("FILE"),
  Options.withDescription(
    "The file with the secret for webhooks; unless given, PETSTORE_WEBHOOK_SECRET, or the " +
      ".webhook-secret file beside the store, which webhooks add creates"
  ),
  optional
)
