#!/usr/bin/env node
// The petstore command. All of it is in ../dist, which `npm run build` makes from ../src.
import { existsSync } from "node:fs"
import * as module from "node:module"
import process from "node:process"

const main = new URL("../dist/main.js", import.meta.url)

if (existsSync(main)) {
  module.enableCompileCache?.() // Node 22 and later: the second start is quicker
  await import(main.href)
} else {
  process.stderr.write("petstore: not built yet: run npm run build\n")
  process.exitCode = 1
}
