/** The smoke program on Node. */
import { command } from "./command.js"
import { file, underServe } from "./file.js"
import { handler, inProcess } from "./handler.js"
import { library } from "./library.js"
import { main } from "./main.js"

await main([
  ...library,
  ...handler("in process", inProcess),
  ...handler("under serve", underServe),
  ...file,
  ...command([])
])
