/**
 * Collects the chunks of a body as they arrive. Chunks of one byte each need little more memory.
 */

/** This many loose chunks are concatenated into one. */
const MAX_LOOSE_CHUNKS = 256

export class BodyChunks {
  /** The number of bytes so far. */
  size = 0
  readonly #concatenated: Array<Buffer> = []
  #loose: Array<Buffer> = []

  add(chunk: Buffer): void {
    this.size += chunk.length
    this.#loose.push(chunk)
    if (this.#loose.length < MAX_LOOSE_CHUNKS) return
    this.#concatenated.push(Buffer.concat(this.#loose))
    this.#loose = []
  }

  /** All bytes in order. A single chunk is not copied. */
  concat(): Buffer {
    const [only] = this.#loose
    return only !== undefined && only.length === this.size
      ? only
      : Buffer.concat([...this.#concatenated, ...this.#loose], this.size)
  }
}
