/**
 * Encodes an image, a whole row within a column of another row. The text is a JSON array of the
 * column values of its own table, a third as long as an object with names. An image that does not
 * fit its table is written as an object.
 */
import { type Column, type Image, type Row, type Value, valueOf } from "@petstore/core/storage"
import {
  type ColumnValue,
  type ImageCodec,
  PLAIN_JSON,
  NO_CODE,
  type RowCodec,
  rowCodec
} from "./RowCodec.js"

/** The codec for images of a column. Images are arrays if the column declares its collections. */
export const imageCodecOf = ({ imageOf }: Column): ImageCodec => {
  if (imageOf === undefined) return PLAIN_JSON
  // An array begins with the position of its collection in this list. The list is append-only.
  const codecs = imageOf.collections.map((collection) => rowCodec(collection))
  return {
    write: (image, kind) => {
      const codec = codecs[kind]
      if (codec === undefined || !hasColumns(image, codec)) return JSON.stringify(image)
      let text = `[${kind},${image.id},${image.revision}`
      for (const encode of codec.encoders) {
        const value = encode(image)
        if (value === NO_CODE) return JSON.stringify(image)
        text += typeof value === "string" ? `,${JSON.stringify(value)}` : `,${value}`
      }
      return `${text}]`
    },
    read: (text) => {
      const json: Image | readonly [number, ...ReadonlyArray<ColumnValue>] = JSON.parse(text)
      if ("id" in json) return json
      const [kind, ...values] = json
      const codec = codecs[kind]
      if (codec === undefined) throw new Error(`an image has the unknown collection ${kind}`)
      return imageFrom(codec.row(values), codec)
    }
  }
}

/** Whether the image has exactly these columns, besides its id and its revision. */
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
