/** The pieces of a body as they arrive. A caller that sends one byte at a time makes it no more expensive to hold. */

/** How many pieces are held one by one before they become one. */
const MAX_LOOSE = 256

export class BodyChunks {
  /** Bytes so far. */
  size = 0
  private readonly joined: Array<Buffer> = []
  private loose: Array<Buffer> = []

  add(piece: Buffer): void {
    this.size += piece.length
    this.loose.push(piece)
    if (this.loose.length < MAX_LOOSE) return
    this.joined.push(Buffer.concat(this.loose))
    this.loose = []
  }

  /** All bytes in order. */
  whole(): Buffer {
    const [only] = this.loose
    return only !== undefined && only.length === this.size
      ? only
      : Buffer.concat([...this.joined, ...this.loose], this.size)
  }
}
