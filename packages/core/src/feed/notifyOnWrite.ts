/**
 * Wraps the ports of a storage: each calls `written` after every attempt to write, whether or not
 * anything changed.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Storage } from "../engine/port/Storage.js"
import type { Direct } from "../engine/port/capabilities.js"
import { isPromise } from "../value/maybePromise.js"

type Storing = Context.Tag.Service<Storage>

export const notifyOnWrite = ({ read, write }: Storing, written: () => void): Storing => ({
  read,
  write: (program) => Effect.ensuring(write(program), Effect.sync(written))
})

export const notifyOnDirectWrite = (direct: Direct, written: () => void): Direct => ({
  ...direct,
  write: (program) => {
    try {
      return direct.write(program)
    } finally {
      written()
    }
  },
  submit: (program) => {
    const answer = direct.submit(program)
    if (isPromise(answer)) answer.then(written, written)
    else written()
    return answer
  }
})
