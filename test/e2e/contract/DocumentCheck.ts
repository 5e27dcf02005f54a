/**
 * Holds responses to the OpenAPI document: status, header fields, content type and body. Knows
 * nothing else of the service.
 */
import type { OpenApiDocument } from "@petstore/http-adapter"
import { type AnySchema, Ajv, type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"

/** A response as it came. */
export type Received = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * What the transport adds by itself, its content codings included; the document does not speak of
 * it.
 */
const TRANSPORT = new Set([
  "content-type",
  "content-encoding",
  "content-length",
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "vary"
])

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The components with every record closed: a field that the document does not name is a fault of
 * the response.
 */
const closed = (schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      isObject(schema) && schema["type"] === "object"
        ? { ...schema, additionalProperties: false }
        : schema
    ])
  )

export type DocumentCheck = {
  /**
   * What is wrong with a response to this operation; empty where nothing is. `path` is the
   * document's, with braces.
   */
  readonly faults: (method: string, path: string, received: Received) => ReadonlyArray<string>
  /** Whether a value is what a schema of the document says. */
  readonly isValid: (schema: unknown, value: unknown) => boolean
}

export const documentCheck = (document: OpenApiDocument): DocumentCheck => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: "document", components: { schemas: closed(document.components.schemas) } })
  const compiled = new Map<string, ValidateFunction>()

  const validator = (schema: unknown): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const known = compiled.get(text)
    if (known !== undefined) return known
    const parsed: AnySchema = JSON.parse(text)
    const made = ajv.compile(parsed)
    compiled.set(text, made)
    return made
  }

  const errorsOf = (schema: unknown, value: unknown): ReadonlyArray<string> => {
    const validate = validator(schema)
    return validate(value) ? [] : [ajv.errorsText(validate.errors)]
  }

  const resolve = <A extends object>(found: A | { readonly $ref: string }): A => {
    if (!("$ref" in found)) return found
    const target = found.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((place, step) => (isObject(place) ? place[step] : undefined), document)
    return target as A
  }

  /** What is wrong with the events in a piece of a stream: the data of each is an `Event`. */
  const eventFaults = (text: string): ReadonlyArray<string> => {
    if (!/^(?:(?:(?:id|event|data|retry): .+|:.*)\n)+\n/.test(text))
      return [`no events: ${text.slice(0, 80)}`]
    return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = ""]) =>
      errorsOf({ $ref: "#/components/schemas/Event" }, JSON.parse(data)).map(
        (why) => `event: ${why}: ${data}`
      )
    )
  }

  const headerValue = (schema: unknown, text: string): unknown =>
    isObject(schema) && schema["type"] === "integer"
      ? /^-?\d+$/.test(text)
        ? Number(text)
        : text
      : text

  return {
    isValid: (schema, value) => errorsOf(schema, value).length === 0,
    faults: (method, path, { status, headers, text }) => {
      const operation = document.paths[path]?.[method.toLowerCase()]
      if (operation === undefined) return [`no ${method} ${path} in the document`]
      const declared = operation.responses[String(status)]
      if (declared === undefined) return [`status ${status} is not in the document`]
      const response = resolve(declared)
      const faults: Array<string> = []
      const known = new Map(
        Object.entries(response.headers).map(([name, field]) => [
          name.toLowerCase(),
          resolve(field)
        ])
      )
      for (const [name, value] of headers) {
        const field = known.get(name)
        if (field !== undefined) {
          faults.push(
            ...errorsOf(field.schema, headerValue(field.schema, value)).map(
              (why) => `${name}: ${value}: ${why}`
            )
          )
        } else if (!TRANSPORT.has(name)) faults.push(`header ${name} is not in the document`)
      }
      for (const [name, field] of known)
        if (field.required && !headers.has(name)) faults.push(`header ${name} is missing`)
      const type = headers.get("content-type")
      if (response.content === undefined) {
        if (text !== "" || type !== null)
          faults.push(`a body where the document has none: ${type} ${text.slice(0, 80)}`)
        return faults
      }
      const content = type === null ? undefined : response.content[type]
      if (content === undefined) return [...faults, `content type ${type} is not in the document`]
      if (method === "HEAD") return faults
      if (type === "text/event-stream") return [...faults, ...eventFaults(text)]
      try {
        faults.push(
          ...errorsOf(content.schema, JSON.parse(text)).map(
            (why) => `body: ${why}: ${text.slice(0, 200)}`
          )
        )
      } catch {
        faults.push(`body: not JSON: ${text.slice(0, 80)}`)
      }
      return faults
    }
  }
}
