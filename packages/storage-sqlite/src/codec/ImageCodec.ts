/**
 * How a whole row is written into a column: as a JSON array of what its own table has of it, which
 * takes a third of the room of an object with names. Anything else is written as the object it is.
 */
import { type Column, type Image, type Row, type Value, valueOf } from "@petstore/core/storage"
import { type Bound, type ImageCodec, NAMED, NO_CODE, type RowCodec, rowCodec } from "./RowCodec.js"

/** The codec of a column: of images, where it tells the collections that they are of. */
export const imageCodecOf = ({ imageOf }: Column): ImageCodec => {
  if (imageOf === undefined) return NAMED
  // An array begins with the place of its collection in this list, which only ever grows.
  const codecs = imageOf.collections.map((collection) => rowCodec(collection))
  return {
    write: (image, kind) => {
      const codec = codecs[kind]
      if (codec === undefined || !hasColumns(image, codec)) return JSON.stringify(image)
      let text = `[${kind},${image.id},${image.revision}`
      for (const encode of codec.coded) {
        const value = encode(image)
        if (value === NO_CODE) return JSON.stringify(image)
        text += typeof value === "string" ? `,${JSON.stringify(value)}` : `,${value}`
      }
      return `${text}]`
    },
    read: (text) => {
      const written: Image | readonly [number, ...ReadonlyArray<Bound>] = JSON.parse(text)
      if ("id" in written) return written
      const [kind, ...values] = written
      const codec = codecs[kind]
      if (codec === undefined)
        throw new Error(`a row is of collection ${kind}, which this does not know`)
      return imageFrom(codec.row(values), codec)
    }
  }
}

/** Whether the image has these columns and no others, besides its id and its revision. */
const hasColumns = (image: Image, { columns }: RowCodec): boolean => {
  if (Object.keys(image).length - 2 !== columns.length) return false
  for (const column of columns) if (!(column in image)) return false
  return true
}

const imageFrom = (row: Row, { columns }: RowCodec): Image => {
  const image: { id: number; revision: number; [column: string]: Value } = {
    id: row.id,
    revision: row.revision
  }
  for (const column of columns) image[column] = valueOf(row, column)
  return image
}
