/** Decodes a file in chunks. A byte order mark wins over the encoding option. */

/** The bytes are not text in the expected encoding. */
export class UndecodableText extends Error {
  override readonly name = "UndecodableText"
}

export type Encoding = {
  /** A label of the Encoding Standard. A byte order mark wins over it. */
  readonly label: string
  /** Whether bytes that are not text in the encoding are an error rather than U+FFFD. */
  readonly fatal: boolean
}

/**
 * The text of `bytes`, without its byte order mark. The mark wins over the label (Encoding Standard
 * §6), and so does a zero byte in the first character, which only UTF-16 has. `onBytes` is called
 * with the bytes as they come. Throws {@link UndecodableText}, for a compressed file or a
 * spreadsheet before the first text.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  onBytes: (bytes: Uint8Array) => void = () => undefined
): AsyncGenerator<string, void, undefined> {
  let head = new Uint8Array(0)
  let decoder: Decoder | undefined
  for await (const piece of bytes) {
    onBytes(piece)
    if (decoder !== undefined) {
      yield decoder(piece)
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < HEAD_BYTES) continue
    decoder = decoderOf(head, encoding)
    yield decoder(head)
  }
  if (decoder === undefined) {
    decoder = decoderOf(head, encoding)
    yield decoder(head)
  }
  yield decoder()
}

/** Decodes a chunk; without one, the rest at the end. */
type Decoder = (piece?: Uint8Array) => string

/** The length of the longest mark. */
const HEAD_BYTES = 4

const decoderOf = (head: Uint8Array, { label, fatal }: Encoding): Decoder => {
  const other = OTHER_FILES.find(({ mark }) => mark.every((byte, at) => head[at] === byte))
  if (other !== undefined) throw new UndecodableText(other.message)
  const decoder = new TextDecoder(utfOf(head) ?? label, { fatal })
  return (piece) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch {
      const hint =
        decoder.encoding === "utf-8"
          ? "; --encoding windows-1252 is what spreadsheets often write"
          : ""
      throw new UndecodableText(
        `it is not in the encoding it should be in, ${decoder.encoding}${hint}`
      )
    }
  }
}

const utfOf = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le"
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be"
  return undefined
}

/** Other kinds of files, by their first bytes. */
const OTHER_FILES: ReadonlyArray<{
  readonly mark: ReadonlyArray<number>
  readonly message: string
}> = [
  {
    mark: [0x1f, 0x8b],
    message:
      "it is compressed; unpack it, as zcat does, and give that as standard input, which is -"
  },
  {
    mark: [0x50, 0x4b, 0x03, 0x04],
    message: "it is a spreadsheet or a zip file, not text; save it as CSV first"
  },
  {
    mark: [0xd0, 0xcf, 0x11, 0xe0],
    message: "it is a spreadsheet, not text; save it as CSV first"
  }
]
