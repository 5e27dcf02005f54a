// What `npm test` runs: suites in turn, one line each; the output of a suite only when it fails.
import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const report = join(tmpdir(), `petstore-test-${process.pid}.json`)

/** The suites of vitest, by their names in vitest.config.ts. */
export const PROJECTS = [
  "unit",
  "property",
  "architecture",
  "conformance",
  "end to end",
  "examples"
]

/** A suite that is one program: passed if it exits with 0. */
export const command = (name, program, ...args) => ({ name, run: () => spawned(program, args) })

/** A suite that was not run. */
export const skipped = (name, reason) => ({
  name,
  run: () => ({ ok: true, output: "", passed: 0, failed: 0, skipped: [reason] })
})

export const spawned = (program, args, env = process.env) =>
  new Promise((done) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env })
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

/** Runs vitest on `node`, and counts its tests. */
export const vitest = async (args, { node = process.execPath, env = process.env } = {}) => {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const program = ["node_modules/vitest/vitest.mjs", "run", ...args, ...reporters]
  const ended = await spawned(node, program, env)
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"))
    const skipped = testResults.flatMap((file) =>
      file.assertionResults
        .filter((test) => test.status === "pending" || test.status === "skipped")
        .map((test) => test.title)
    )
    const ok = ended.ok && numPassedTests > 0
    const failed = Math.max(numFailedTests, ok ? 0 : 1)
    return { ...ended, ok, passed: numPassedTests, failed, skipped }
  } catch {
    return { ...ended, ok: false, passed: 0, failed: 1 }
  } finally {
    rmSync(report, { force: true })
  }
}

/**
 * Runs suites, prints a line for each and what they add up to. Resolves to an exit code. Suites may
 * come one by one.
 */
export const runSuites = async (suites) => {
  let passed = 0
  let failed = 0
  let skipped = 0
  for await (const suite of suites) {
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
    const outcome = !result.ok ? "FAILED" : result.passed === 0 ? "skip  " : "ok    "
    console.log(
      `${outcome} ${suite.name.padEnd(20)} ${String(result.passed).padStart(5)} ` +
        `passed${skips}  (${seconds} s)`
    )
    if (!result.ok) console.log(result.output)
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0 ? 0 : 1
}
