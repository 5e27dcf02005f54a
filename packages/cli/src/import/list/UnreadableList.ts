/** A list that can't be read, and why. */
import { UndecodableText } from "../../input/decodeText.js"
import { UnclosedQuote } from "../csv/CsvParser.js"

export class UnreadableList extends Error {
  override readonly name = "UnreadableList"
  /** The list does not have the columns that were named. */
  readonly wrongColumn: boolean

  constructor(message: string, wrongColumn = false) {
    super(message)
    this.wrongColumn = wrongColumn
  }

  /** Describes a failure to open or read the list. */
  static because(cause: unknown, list = ""): UnreadableList {
    if (cause instanceof UnreadableList) return cause
    if (cause instanceof UndecodableText || cause instanceof UnclosedQuote)
      return new UnreadableList(cause.message)
    if (!(cause instanceof Error)) return new UnreadableList(String(cause))
    const code = "code" in cause ? String(cause.code) : ""
    const word = code === "ENOENT" && DESCRIPTOR.test(list) ? NO_SUCH_PIPE : WORDS[code]
    return new UnreadableList(word ?? cause.message)
  }
}

/** The name of a `<(…)` pipe, which sudo and others do not pass on to their commands. */
const DESCRIPTOR = /^\/(dev|proc\/self)\/fd\/\d+$/
const NO_SUCH_PIPE =
  "no such pipe was passed on to petstore; give standard input instead: … | petstore import -"

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "that is a folder, not a file",
  EACCES: "it may not be read",
  ENOSPC: "there is no room for a copy of it among the temporary files"
}
