/**
 * The public names of @petstore/http-adapter/web: the handler for workers and bundles. It needs
 * nothing of Node and has no docs page. The list is written by hand.
 */
export { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
export type { EventOptions, FailedRequest, Identify, ServiceOptions } from "../exchange/Options.js"
export type { Reporter, RequestReport } from "../exchange/RequestReport.js"
export { failureLine, jsonLine, requestLine } from "../observe/requestLine.js"
export type { ServedStore } from "../serve/makeService.js"
export type { WebHandler, WebHandlerOptions } from "./makeWebHandler.js"
export { toWorkerHandler as toWebHandler } from "./toWorkerHandler.js"
