// `npm run docs`: writes the API reference to docs/api. Installs the tools where they are not.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { installTools } from "./ciCache.mjs"

const typedoc = join(await installTools(), "node_modules/typedoc/bin/typedoc")
const { status } = spawnSync(process.execPath, [typedoc], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit"
})
process.exitCode = status ?? 1
