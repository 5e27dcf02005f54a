// `npm run tools`: installs the tools that only single checks need (test/tools) into the cache.
import { installTools } from "./ciCache.mjs"

try {
  console.log(await installTools())
} catch (error) {
  console.error(`the tools could not be installed: ${error.message}`)
  process.exitCode = 1
}
