/** The public names of @petstore/http-adapter. The list is written by hand. */

// The contract
export { API_VERSION, PetStoreApi, RecordsApi } from "./contract/PetStoreApi.js"
export { ErrorBody, ErrorCodes } from "./contract/ErrorBody.js"
export { ERROR_STATUS, type ErrorCode } from "./contract/ErrorStatus.js"
export { Lifecycle, type LifecyclePlan } from "./contract/Lifecycle.js"
export { GET_PET_LIFECYCLE } from "./contract/pets.js"
export type { ShopChange, ShopEvent } from "./contract/ShopEvent.js"
export { Stability, type StabilityLevel } from "./contract/Stability.js"
export type { OperationId } from "./contract/OperationId.js"

// The description
export type { OpenApiDocument, OperationObject } from "./openapi/Document.js"
export { type DescribeOptions, openApiDocument, openApiText } from "./openapi/openApiDocument.js"

// Serving
export type { EventOptions, FailedRequest, Identify, ServiceOptions } from "./exchange/Options.js"
export type { Reporter, RequestReport } from "./exchange/RequestReport.js"
export type { Gauge } from "./observe/Metrics.js"
export { failureLine, jsonLine, requestLine } from "./observe/requestLine.js"
export type { ServedStore } from "./serve/makeService.js"
export { BodyAlreadyRead } from "./exchange/BodyAlreadyRead.js"
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from "./node/toNodeHandler.js"
export { serve, type ServeOptions, type Serving } from "./node/serve.js"
export type { WebHandler, WebHandlerOptions } from "./web/makeWebHandler.js"
export { toWebHandler } from "./web/toWebHandler.js"

// A client in process; those for elsewhere are in @petstore/http-adapter/client
export { storeTransport } from "./storeTransport.js"
