/** The smoke program on Node. */
import { handler, inProcess } from "./handler.js"
import { library } from "./library.js"
import { main } from "./main.js"

await main([...library, ...handler("in process", inProcess)])
