#!/usr/bin/env node
// The petstore command. All of it is in ../dist/node, which `npm run build` makes from ../src.
import { existsSync, readFileSync } from "node:fs"
import * as module from "node:module"
import process from "node:process"

const main = new URL("../dist/node/main.js", import.meta.url)

if (existsSync(main)) {
  module.enableCompileCache?.() // Node 22 and later: the second start is quicker
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const { runProcess } = await import(main.href)
  await runProcess(version)
} else {
  process.stderr.write("petstore: not built yet: run npm run build\n")
  process.exitCode = 1
}
