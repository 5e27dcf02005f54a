/** Pets over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { NewPet, Pet, type PetQuery, PetPatch, petListing } from "@petstore/core"
import { Schema } from "effect"
import { answering, OF_BODIES } from "./ErrorBody.js"
import { Lifecycle } from "./Lifecycle.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { Stability } from "./Stability.js"

const OnePet = Schema.Struct({ petId: PathId })

export const Pets = Schema.Array(Pet).annotations({ identifier: "Pets" })

const CHANGING = [
  ...OF_BODIES,
  "not_found",
  "precondition_failed",
  "unknown_category",
  "status_follows_stock",
  "invalid_transition"
] as const

export const petsGroup = HttpApiGroup.make("pets")
  .add(
    HttpApiEndpoint.get("listPets", "/pets")
      .setUrlParams(listQuery<PetQuery>(petListing))
      .addSuccess(Pets)
      .pipe(answering())
  )
  .add(
    HttpApiEndpoint.post("createPet", "/pets")
      .setPayload(NewPet)
      .addSuccess(Pet, { status: 201 })
      .pipe(answering(...OF_BODIES, "unknown_category"))
  )
  .add(
    HttpApiEndpoint.get("getPet", "/pets/:petId")
      .setPath(OnePet)
      .addSuccess(Pet)
      .pipe(answering("not_found", "sunset"))
      .annotate(Lifecycle, {
        deprecatedMs: Date.UTC(2026, 11, 1),
        sunsetMs: Date.UTC(2027, 11, 1),
        successor: "/pets?id={petId}",
        docs: "/docs"
      })
  )
  .add(
    HttpApiEndpoint.put("replacePet", "/pets/:petId")
      .setPath(OnePet)
      .setPayload(NewPet)
      .addSuccess(Pet)
      .pipe(answering(...CHANGING))
  )
  .add(
    HttpApiEndpoint.patch("updatePet", "/pets/:petId")
      .setPath(OnePet)
      .setPayload(PetPatch)
      .addSuccess(Pet)
      .pipe(answering(...CHANGING))
      .annotate(Stability, "beta")
  )
  .add(
    HttpApiEndpoint.del("deletePet", "/pets/:petId")
      .setPath(OnePet)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(answering("not_found", "pet_in_use", "precondition_failed", "storage_full"))
  )
