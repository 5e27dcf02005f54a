/** The banner of a server: where it listens, where the store is, and how to call it. */
import process from "node:process"
import { DEFAULT_DB } from "../store/options.js"
import { outputIsOptional } from "../terminal/output.js"
import { formatCount, shellWord, shortTime, writeLine } from "../terminal/text.js"
import type { Startup, StartupOptions } from "./startup.js"
import { exampleCalls } from "./exampleCalls.js"

const say = (line: string): void => writeLine(process.stdout, line)

/** The last line of the banner. Scripts wait for it. */
const LAST_LINE = "Ctrl-C stops it."

export const printBanner = (
  url: string,
  { shop, stocked, key }: Startup,
  file: string | undefined,
  { plan, demo }: StartupOptions
): void => {
  outputIsOptional()
  say(`petstore listens on ${url}`)
  say(`A page to try it in a browser: ${url}/docs`)
  say(
    file === undefined
      ? "The store is in memory and ends with the server."
      : `The store is in ${file}${stocked && shop === undefined ? "; what is in it is kept" : ""}.`
  )
  if (shop !== undefined) {
    say(
      `Demo shop: ${shop.categories} categories, ${formatCount(shop.animals)} animals, ` +
        `${shop.orders} orders.`
    )
  }
  if (key === undefined) {
    const option = file === undefined || file === DEFAULT_DB ? "" : ` --db ${shellWord(file)}`
    say(
      "Keys are shown only when they are made. Another one: petstore keys create --plan " +
        `${plan}${option}`
    )
  } else {
    const end = key.expiresAt === undefined ? "" : `, until ${shortTime(key.expiresAt)} UTC`
    say(`Key (${plan} plan${end}), shown only now: ${key.key}`)
    if (demo && stocked && shop === undefined)
      say("Keys of earlier starts go on working until they end.")
    say("")
    const contents = shop !== undefined ? "demo" : stocked ? "kept" : "empty"
    for (const line of exampleCalls(url, key.key, contents)) say(line)
  }
  say(LAST_LINE)
}
