// `npm test`: every suite in turn, one line each; the output of a suite only when it fails. Ends
// non-zero on any failure.
import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const node = process.execPath
const report = join(tmpdir(), `petstore-test-${process.pid}.json`)

const command = (name, program, ...args) => ({ name, run: () => spawned(program, args) })
const vitest = (name) => ({ name, run: () => tested(name) })

const suites = [
  command("types", node, "node_modules/@typescript/native/bin/tsc", "-b"),
  command("bundle", node, "scripts/bundle.mjs"),
  command(
    "types of tests",
    node,
    "node_modules/@typescript/native/bin/tsc",
    "-p",
    "tsconfig.test.json"
  ),
  command("lint", "npx", "--no-install", "oxlint", "--type-aware", "--deny-warnings"),
  command("format", "npx", "--no-install", "biome", "format"),
  command("packages", node, "scripts/checkPackages.mjs"),
  ...["unit", "property", "architecture", "conformance", "end to end", "examples"].map(vitest)
]

const spawned = (program, args) =>
  new Promise((done) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    child.on("error", (error) =>
      done({ ok: false, output: String(error), passed: 0, failed: 1, skipped: [] })
    )
    child.on("close", (code) => {
      const ok = code === 0
      done({ ok, output, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] })
    })
  })

const tested = async (project) => {
  const args = [
    "--no-install",
    "vitest",
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json"
  ]
  const ended = await spawned("npx", [...args, `--outputFile.json=${report}`])
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"))
    const skipped = testResults.flatMap((file) =>
      file.assertionResults
        .filter((test) => test.status === "pending" || test.status === "skipped")
        .map((test) => test.title)
    )
    const ok = ended.ok && numPassedTests > 0
    return {
      ...ended,
      ok,
      passed: numPassedTests,
      failed: Math.max(numFailedTests, ok ? 0 : 1),
      skipped
    }
  } catch {
    return { ...ended, ok: false, passed: 0, failed: 1 }
  } finally {
    rmSync(report, { force: true })
  }
}

const only = process.argv.slice(2)
const chosen = only.length === 0 ? suites : suites.filter((suite) => only.includes(suite.name))
if (chosen.length === 0) {
  console.error(`no such suite; there are: ${suites.map((suite) => suite.name).join(", ")}`)
  process.exit(2)
}

let passed = 0
let failed = 0
let skipped = 0
for (const suite of chosen) {
  const started = performance.now()
  const result = await suite.run()
  passed += result.passed
  failed += result.failed
  skipped += result.skipped.length
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const skips =
    result.skipped.length === 0
      ? ""
      : `, ${result.skipped.length} skipped: ${result.skipped.join("; ")}`
  console.log(
    `${result.ok ? "ok    " : "FAILED"} ${suite.name.padEnd(15)} ${String(result.passed).padStart(5)} passed${skips}  (${seconds} s)`
  )
  if (!result.ok) console.log(result.output)
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed === 0 ? 0 : 1)
