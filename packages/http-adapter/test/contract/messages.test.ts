import * as HttpApi from "@effect/platform/HttpApi"
import { Either, Option, Schema, type SchemaAST } from "effect"
import { expect, test } from "vitest"
import { ErrorBody } from "../../src/contract/ErrorBody.js"
import { PetStoreApi } from "../../src/contract/PetStoreApi.js"

const answersOf = (): ReadonlyArray<SchemaAST.AST> => {
  const found: Array<SchemaAST.AST> = [ErrorBody.ast]
  HttpApi.reflect(PetStoreApi, {
    onGroup: () => undefined,
    onEndpoint: ({ successes, errors }) => {
      // The stream of events is a text, which is as it came.
      for (const { ast } of [...successes.values(), ...errors.values()])
        if (Option.isSome(ast) && ast.value._tag !== "StringKeyword") found.push(ast.value)
    }
  })
  return found
}

test("whatever an answer has in place of what the contract says, and however deep, the error says it in few words", () => {
  let deep: unknown = []
  for (let depth = 0; depth < 5_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep }
  expect(answersOf().length).toBeGreaterThan(20)
  const bodies = [
    deep,
    [deep],
    { deep },
    { code: deep, message: deep, status: deep },
    { id: deep, name: deep }
  ]
  for (const ast of answersOf()) {
    for (const body of bodies) {
      const answer = Schema.decodeUnknownEither(Schema.make(ast), { errors: "all" })(body)
      if (Either.isRight(answer)) continue
      expect(answer.left.message.length).toBeLessThan(10_000)
    }
  }
})
