// Records as effect/Schema values: a form is checked before the store is called, and a record of
// the host extends one of the store.
import { NewPet, Pet } from "@petstore/core/schema"
import { Schema } from "effect"

const isPet = Schema.is(NewPet)
console.log(isPet({ name: "Goldie", categoryId: 1 }), isPet({ name: " ", categoryId: 1 }))

const Label = Schema.Struct({ ...Pet.fields, cage: Schema.NonEmptyString })
const label = Schema.decodeUnknownSync(Schema.parseJson(Label))
console.log(label('{"id":1,"name":"Goldie","categoryId":1,"status":"available","cage":"B 2"}').cage)
