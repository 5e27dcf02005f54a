/** The description of the service as OpenAPI 3.0.3, derived from the contract. */
import * as Schema from "effect/Schema"
import type { OperationId } from "../contract/OperationId.js"
import { ErrorBody } from "../contract/ErrorBody.js"
import type { LifecyclePlan } from "../contract/Lifecycle.js"
import { API_VERSION } from "../contract/PetStoreApi.js"
import { reflect } from "./declared.js"
import { describeOperation, requestHeaders } from "./describeOperation.js"
import type { OpenApiDocument, OperationObject, ParameterObject } from "./Document.js"
import { REQUEST_HEADERS, RESPONSE_HEADERS } from "./headers.js"
import { DESCRIPTION, SECURITY_SCHEMES } from "./introduction.js"
import { makeSchemas } from "./schemas.js"
import { shareResponses } from "./shareResponses.js"

/** The options of a service that its description depends on. */
export type DescribeOptions = {
  /** As in the options of the service. */
  readonly basePath?: string
  /** As in the options of the service. */
  readonly requireConditions?: boolean
  /** As in the options of the service. */
  readonly lifecycles?: { readonly [Id in OperationId]?: LifecyclePlan | undefined }
}

/** The members of problem details (RFC 9457) and ours. */
const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  detail: Schema.String,
  code: Schema.String,
  message: Schema.String,
  status: Schema.Int
}).annotations({ identifier: "Problem" })

const sorted = <A>(record: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))

/** Describes a service with these options. Equal options give equal documents. */
export const openApiDocument = ({
  basePath = "",
  lifecycles = {},
  requireConditions = false
}: DescribeOptions = {}): OpenApiDocument => {
  const { tags, declarations } = reflect(lifecycles, requireConditions)
  const schemas = makeSchemas()
  schemas.response(ErrorBody.ast)
  schemas.response(Problem.ast)
  const operations = declarations.map((operation) =>
    describeOperation(operation, declarations, schemas)
  )
  const shared = shareResponses(operations.flatMap(({ responses }) => Object.entries(responses)))
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const { path, method, responses, rest } of operations) {
    const all = Object.entries(responses).map(([status, response]) => {
      const name = shared.nameOf(status, response)
      return [
        status,
        name === undefined ? response : { $ref: `#/components/responses/${name}` }
      ] as const
    })
    paths[path] = { ...paths[path], [method]: { ...rest, responses: Object.fromEntries(all) } }
  }
  const used = new Set(declarations.flatMap(requestHeaders))
  const parameters: Readonly<Record<string, ParameterObject>> = Object.fromEntries(
    Object.entries(REQUEST_HEADERS).filter(([name]) => [...used].some((each) => each === name))
  )
  return {
    openapi: "3.0.3",
    info: {
      title: "Pet Store",
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: "The Pet Store maintainers" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    },
    servers: [
      { url: basePath === "" ? "/" : basePath, description: "The service this was read from." }
    ],
    tags,
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths,
    components: {
      schemas: sorted(schemas.components()),
      responses: sorted(shared.components),
      parameters,
      headers: RESPONSE_HEADERS,
      securitySchemes: SECURITY_SCHEMES
    }
  }
}

/** The document as text. Restores the largest int64, which JavaScript rounds. */
export const openApiText = (document: OpenApiDocument, indent = 0): string =>
  JSON.stringify(document, null, indent).replace(
    /("maximum": ?)9223372036854776000/g,
    "$19223372036854775807"
  )
