/** A browser for the tests that need one, where there is one. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const BROWSERS = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
]

const executablePath = BROWSERS.find((file) => file !== "" && existsSync(file))

/** Whether there is one. */
export const hasChromium = executablePath !== undefined

/** Nothing of the browser's own goes out; as root it has no sandbox to start. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: FLAGS })
