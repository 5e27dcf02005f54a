/** The part of OpenAPI 3.0.3 that the description uses. */

export type SchemaObject = {
  readonly type?: "object" | "array" | "string" | "integer" | "boolean"
  readonly format?: string
  readonly description?: string
  readonly nullable?: true
  readonly enum?: ReadonlyArray<string | number>
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: false
  readonly allOf?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly example?: unknown
}

export type Ref = { readonly $ref: string }

export type Schema = SchemaObject | Ref

export type HeaderObject = {
  readonly description: string
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

export type ParameterObject = {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly description: string
  readonly required: boolean
  readonly style?: "form"
  readonly explode?: true
  readonly schema: Schema
  readonly example?: unknown
}

export type MediaType = { readonly schema: Schema; readonly example?: unknown }

export type LinkObject = {
  readonly operationId: string
  readonly description: string
  readonly parameters: Readonly<Record<string, string>>
}

export type ResponseObject = {
  readonly description: string
  readonly headers: Readonly<Record<string, HeaderObject | Ref>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly links?: Readonly<Record<string, LinkObject>>
}

/** An operation in the description. */
export type OperationObject = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly deprecated?: true
  readonly "x-sunset"?: string
  readonly "x-stability"?: string
  readonly "x-stability-level"?: string
  readonly parameters: ReadonlyArray<ParameterObject | Ref>
  readonly requestBody?: {
    readonly required: true
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, ResponseObject | Ref>>
}

export type SecurityScheme =
  | {
      readonly type: "apiKey"
      readonly in: "header"
      readonly name: string
      readonly description: string
    }
  | { readonly type: "http"; readonly scheme: "bearer"; readonly description: string }

/** The description of the service as an OpenAPI 3.0.3 document. */
export type OpenApiDocument = {
  readonly openapi: "3.0.3"
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly url: string }
  }
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly security: OperationObject["security"]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly parameters: Readonly<Record<string, ParameterObject>>
    readonly headers: Readonly<Record<string, HeaderObject>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}
