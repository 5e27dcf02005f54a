/** A list that can't be read, and why. */
import { UndecodableText } from "../input/decodeText.js"
import { UnclosedQuote } from "./CsvParser.js"

export class UnreadableList extends Error {
  override readonly name = "UnreadableList"
  /** The columns asked for are not those of the list. */
  readonly wrongColumn: boolean

  constructor(message: string, wrongColumn = false) {
    super(message)
    this.wrongColumn = wrongColumn
  }

  /** What went wrong while a list was opened or read, in words. */
  static because(cause: unknown): UnreadableList {
    if (cause instanceof UnreadableList) return cause
    if (cause instanceof UndecodableText || cause instanceof UnclosedQuote)
      return new UnreadableList(cause.message)
    if (!(cause instanceof Error)) return new UnreadableList(String(cause))
    const word = "code" in cause ? WORDS[String(cause.code)] : undefined
    return new UnreadableList(word ?? cause.message)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "that is a folder, not a file",
  EACCES: "it may not be read",
  ENOSPC: "there is no room for a copy of it among the temporary files"
}
