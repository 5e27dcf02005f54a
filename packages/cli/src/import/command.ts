/** `petstore import`: its options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { secretOf } from "../secret.js"
import { lazy } from "../terminal/lazy.js"
import { json, invalidValue, optional, wholeNumber } from "../terminal/options.js"

const serviceUrl = Options.text("url").pipe(
  Options.withPseudoName("URL"),
  Options.withDescription(
    "The URL of the service, with its base path; http://127.0.0.1:3000 unless given"
  ),
  Options.withDefault("http://127.0.0.1:3000"),
  Options.mapEffect((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.username === "" &&
      url.search === ""
      ? Effect.succeed(url)
      : invalidValue(
          "url",
          "expected an http or https URL without user and query, such as http://127.0.0.1:3000"
        )
  })
)

const options = {
  name: Options.text("name").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription("The column with the animal's name")
  ),
  category: Options.text("category").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription("The column with the category; missing categories are created")
  ),
  status: Options.text("status").pipe(
    Options.withPseudoName("COLUMN"),
    Options.withDescription("The column with the status; without it, every pet is available"),
    optional
  ),
  statusMap: Options.text("status-map").pipe(
    Options.withPseudoName("VALUE=STATUS,…"),
    Options.withDescription(
      "Maps the values of the status column: Adoption=sold,Foster=pending,=available (the " +
        "last for an empty one). Repeatable, or a JSON object. A line with any other value is " +
        "refused"
    ),
    Options.repeated
  ),
  url: serviceUrl,
  key: Options.redacted("key").pipe(
    Options.withPseudoName("KEY"),
    Options.withDescription(
      "The API key. PETSTORE_KEY in the environment hides it from other users of the machine"
    ),
    Options.withFallbackConfig(Config.redacted("PETSTORE_KEY")),
    optional,
    Options.map((key) => secretOf(key && Redacted.value(key)))
  ),
  progress: Options.text("progress").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      "The progress file, without the key; LIST.csv.progress.jsonl unless given"
    ),
    optional
  ),
  report: Options.text("report").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      "The file for refused lines with their reasons; LIST.csv.refused.csv unless given"
    ),
    optional
  ),
  restart: Options.boolean("restart").pipe(
    Options.withDescription("Forget what earlier runs loaded and load every line")
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("Check the list and send nothing")
  ),
  concurrency: wholeNumber("concurrency", 1, 256).pipe(
    Options.withDescription("The number of concurrent requests, 32 unless given"),
    Options.withDefault(32)
  ),
  maxWaitSeconds: wholeNumber("max-wait", 0, 86_400).pipe(
    Options.withDescription(
      "The longest Retry-After to wait for, in seconds, 300 unless given; a longer one ends " +
        "the import, which can continue later"
    ),
    Options.withDefault(300)
  ),
  delimiter: Options.text("delimiter").pipe(
    Options.withPseudoName("CHARACTER"),
    Options.withDescription(
      "The delimiter; detected unless given: a comma, a semicolon, a tab or a bar. A first " +
        "line such as sep=; wins"
    ),
    Options.mapEffect((text) =>
      /^[^"\r\n]$/u.test(text)
        ? Effect.succeed(text)
        : invalidValue("delimiter", "expected one character, such as ;")
    ),
    optional
  ),
  encoding: Options.text("encoding").pipe(
    Options.withPseudoName("LABEL"),
    Options.withDescription(
      "The encoding, utf-8 unless given; spreadsheets often write windows-1252. A byte order " +
        "mark wins"
    ),
    Options.withDefault("utf-8"),
    Options.mapEffect((label) =>
      isEncoding(label)
        ? Effect.succeed(label)
        : invalidValue("encoding", `no encoding is called '${label.slice(0, 40)}'`)
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
    "A CSV file whose first line names the columns; - for standard input. A pipe such as " +
      "<(zcat LIST.csv.gz) works too"
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
      "White space around cells is removed. Refused lines are written to a report and do not " +
        "make the import fail. The exit code is 0 once every line was loaded or refused, 1 if " +
        "the import stopped before the end, 2 for wrong usage.",
      "The same command continues where an earlier run stopped and loads no line twice, as " +
        "long as nobody else adds pets of the same name and category meanwhile.",
      "Example: petstore import outcomes.csv --name Name --category AnimalType --status " +
        "OutcomeType --status-map Adoption=sold,Transfer=sold,=available"
    ].join("\n\n")
  )
)
