/**
 * How a whole row is written into a column: as a JSON array of what its own table has of it, which takes a third of the room of an
 * object with names. Anything else is written as the object it is.
 */
import { type Image, RECORD_COLLECTIONS, RECORD_KINDS, type Row, type Value, valueOf } from "@petstore/core"
import { type Bound, type ImageCodec, NO_CODE, type RowCodec, rowCodec } from "./RowCodec.js"

/** The number that an array begins with is a place in this list. It only ever grows, as the kinds do, which are stored by number too. */
const COLLECTIONS = RECORD_KINDS.map((kind) => RECORD_COLLECTIONS[kind])

type Form = { readonly number: number; readonly codec: RowCodec }

export const imageCodec = (): ImageCodec => {
  const forms = COLLECTIONS.map((collection, number): Form => ({ number, codec: rowCodec(collection) }))

  /** By how many columns they have, in which no two are alike. */
  const byColumns = new Map(forms.map((form) => [form.codec.columns.length, form]))

  /** The collection that has just these members: all have an id and a revision. */
  const formOf = (image: Image): Form | undefined => {
    const form = byColumns.get(Object.keys(image).length - 2)
    if (form === undefined) return undefined
    for (const column of form.codec.columns) if (!(column in image)) return undefined
    return form
  }

  return {
    write: (image) => {
      const form = formOf(image)
      if (form === undefined) return JSON.stringify(image)
      let text = `[${form.number},${image.id},${image.revision}`
      for (const encode of form.codec.coded) {
        const value = encode(image)
        if (value === NO_CODE) return JSON.stringify(image)
        text += typeof value === "string" ? `,${JSON.stringify(value)}` : `,${value}`
      }
      return `${text}]`
    },
    read: (text) => {
      const written: Image | readonly [number, ...ReadonlyArray<Bound>] = JSON.parse(text)
      if ("id" in written) return written
      const [number, ...values] = written
      const form = forms[number]
      if (form === undefined) throw new Error(`a row is of collection ${number}, which this does not know`)
      return imageOf(form.codec.row(values), form.codec)
    }
  }
}

const imageOf = (row: Row, { columns }: RowCodec): Image => {
  const image: { id: number; revision: number; [column: string]: Value } = {
    id: row.id,
    revision: row.revision
  }
  for (const column of columns) image[column] = valueOf(row, column)
  return image
}
