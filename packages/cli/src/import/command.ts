/** `petstore import`: its options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { secretOf } from "../secret.js"
import { lazy } from "../terminal/lazy.js"
import { json, misused, optional, wholeNumber } from "../terminal/options.js"

const serviceUrl = Options.text("url").pipe(
  Options.withPseudoName("URL"),
  Options.withDescription(
    "Where the service is, with its base path if it has one; http://127.0.0.1:3000 unless given"
  ),
  Options.withDefault("http://127.0.0.1:3000"),
  Options.mapEffect((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.search === ""
      ? Effect.succeed(url)
      : misused("url", "expected an http or https URL without user and query, such as http://127.0.0.1:3000")
  })
)

const options = {
  name: Options.text("name").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription("The column with the animal's name")
  ),
  category: Options.text("category").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription(
      "The column with the kind of animal; categories that the service does not have are made"
    )
  ),
  status: Options.text("status").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription("The column with what became of the animal; without it, every pet is available"),
    optional
  ),
  statusMap: Options.text("status-map").pipe(
    Options.withPseudoName("VALUE=STATUS,…"),
    Options.withDescription(
      "What the values of the status column become: Adoption=sold,Foster=pending,=available (the last for an empty one). May be given several times, or as a JSON object. A line with any other value is refused"
    ),
    Options.repeated
  ),
  url: serviceUrl,
  key: Options.redacted("key").pipe(
    Options.withPseudoName("KEY"),
    Options.withDescription(
      "The API key; better given in the environment, as PETSTORE_KEY, where others on the machine can't see it"
    ),
    Options.withFallbackConfig(Config.redacted("PETSTORE_KEY")),
    optional,
    Options.map((key) => secretOf(key && Redacted.value(key)))
  ),
  progress: Options.text("progress").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      "Where to record what was loaded; LIST.csv.progress.jsonl unless given. The key is never in it"
    ),
    optional
  ),
  report: Options.text("report").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      "Where to write every refused line with its reason; LIST.csv.refused.csv unless given"
    ),
    optional
  ),
  restart: Options.boolean("restart").pipe(
    Options.withDescription("Forget what earlier runs loaded and load every line")
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Check the list and send nothing")),
  concurrency: wholeNumber("concurrency", 1, 256).pipe(
    Options.withDescription("Requests under way at once, 32 unless given"),
    Options.withDefault(32)
  ),
  maxWaitSeconds: wholeNumber("max-wait", 0, 86_400).pipe(
    Options.withDescription(
      "The longest Retry-After, in seconds, that is sat out, 300 unless given; after a longer one the import ends, to be gone on with later"
    ),
    Options.withDefault(300)
  ),
  delimiter: Options.text("delimiter").pipe(
    Options.withPseudoName("CHARACTER"),
    Options.withDescription(
      "What stands between the cells; unless given, what the list itself shows: a comma, a semicolon, a tab or a bar. A first line such as sep=; says so too"
    ),
    Options.mapEffect((text) =>
      /^[^"\r\n]$/u.test(text)
        ? Effect.succeed(text)
        : misused("delimiter", "expected one character, such as ;")
    ),
    optional
  ),
  encoding: Options.text("encoding").pipe(
    Options.withPseudoName("LABEL"),
    Options.withDescription(
      "How the file is encoded, utf-8 unless given; windows-1252 is what spreadsheets often write. A byte order mark says so too"
    ),
    Options.withDefault("utf-8"),
    Options.mapEffect((label) =>
      isEncoding(label)
        ? Effect.succeed(label)
        : misused("encoding", `no encoding is called '${label.slice(0, 40)}'`)
    )
  ),
  json
}

const isEncoding = (label: string): boolean => {
  try {
    return new TextDecoder(label).encoding !== ""
  } catch {
    return false
  }
}

const list = Args.text({ name: "LIST.csv" }).pipe(
  Args.withDescription(
    "A CSV file whose first line names the columns; - for standard input. A pipe will do, such as <(zcat LIST.csv.gz)"
  )
)

export const importCommand = Command.make(
  "import",
  { list, ...options },
  lazy(async () => (await import("./run.js")).runImport)
).pipe(
  Command.withDescription(
    [
      "Loads a shelter's list, a CSV file, through a served store.",
      "White space around a cell is not part of it. Lines that are refused are shown, counted, and written to a report in full; they do not make the import fail. It exits 0 once every line was loaded or refused, 1 when it had to stop before the end, 2 when it was called wrongly.",
      "The same command goes on where an earlier run stopped, however that ended, and loads no line twice, as long as nobody else adds pets of the same name and category meanwhile.",
      "Example: petstore import outcomes.csv --name Name --category AnimalType --status OutcomeType --status-map Adoption=sold,Transfer=sold,=available"
    ].join("\n\n")
  )
)
