/** The public names of @petstore/cli: what the command is made of and a host may want too. */
export { type DemoShop, fillDemoShop } from "./demo/DemoShop.js"
