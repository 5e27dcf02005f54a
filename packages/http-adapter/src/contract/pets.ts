/** Pets over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { petListing, type PetQuery } from "@petstore/core"
import { NewPet, Pet, PetPatch } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { about, aboutGroup } from "./about.js"
import { brief } from "./brief.js"
import { failingWith, OF_BODIES, OF_REMOVALS } from "./ErrorBody.js"
import { Lifecycle, type LifecyclePlan } from "./Lifecycle.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { ASSIGNED_ID, RecordTexts } from "./RecordTexts.js"
import { Stability } from "./Stability.js"

const OnePet = Schema.Struct({ petId: PathId.annotations({ description: "The pet's id." }) })

/** The lifecycle of `GET /pets/{petId}`; the option `lifecycles` of a service replaces it. */
export const GET_PET_LIFECYCLE: LifecyclePlan = {
  deprecatedMs: Date.UTC(2026, 11, 1),
  sunsetMs: Date.UTC(2027, 11, 1),
  successor: "/pets?id={petId}",
  docs: "/docs"
}

export const Pets = Schema.Array(Pet).annotations({ identifier: "Pets", ...brief("a list") })

const CHANGING = [
  ...OF_BODIES,
  "not_found",
  "precondition_failed",
  "unknown_category",
  "status_follows_stock",
  "invalid_transition"
] as const

const PET = { name: "The animal's name.", categoryId: "The category the animal belongs to." }

/** What the records of the group say in OpenAPI. */
const TEXTS = {
  PetStatus: {
    description: "Whether an animal is for sale, reserved by open orders, or sold.",
    example: "available"
  },
  NewPet: {
    description: "The input for creating or replacing a pet.",
    example: { name: "Rex", categoryId: 1, status: "available" },
    fields: PET
  },
  PetPatch: {
    description: "The fields of a pet to change.",
    example: { name: "Max" },
    fields: PET
  },
  Pet: {
    description: "An animal.",
    example: { id: 1, name: "Rex", categoryId: 1, status: "available" },
    fields: { id: ASSIGNED_ID, ...PET }
  },
  Pets: {
    description: "Animals.",
    example: [{ id: 1, name: "Rex", categoryId: 1, status: "available" }]
  }
} satisfies RecordTexts["Type"]

export const petsGroup = HttpApiGroup.make("pets")
  .annotateContext(aboutGroup("Pets", "The animals of the shop, each of one category."))
  .annotate(RecordTexts, TEXTS)
  .add(
    HttpApiEndpoint.get("listPets", "/pets")
      .setUrlParams(
        listQuery<PetQuery>(petListing, {
          id: "Only these pets.",
          status: "Only pets with one of these statuses.",
          categoryId: "Only pets of this category.",
          name: "Only pets whose name begins with this, without regard to case."
        })
      )
      .addSuccess(Pets)
      .pipe(failingWith())
      .annotateContext(about("List pets", "A page of pets, narrowed by the filters."))
  )
  .add(
    HttpApiEndpoint.post("createPet", "/pets")
      .setPayload(NewPet)
      .addSuccess(Pet, { status: 201 })
      .pipe(failingWith(...OF_BODIES, "unknown_category"))
      .annotateContext(about("Create a pet", "`status` is `available` by default."))
  )
  .add(
    HttpApiEndpoint.get("getPet", "/pets/:petId")
      .setPath(OnePet)
      .addSuccess(Pet)
      .pipe(failingWith("not_found", "sunset"))
      .annotate(Lifecycle, GET_PET_LIFECYCLE)
      .annotateContext(
        about(
          "Get a pet",
          "Deprecated: `GET /pets?id={petId}` returns the same, and takes several ids."
        )
      )
  )
  .add(
    HttpApiEndpoint.put("replacePet", "/pets/:petId")
      .setPath(OnePet)
      .setPayload(NewPet)
      .addSuccess(Pet)
      .pipe(failingWith(...CHANGING))
      .annotateContext(
        about(
          "Replace a pet",
          "An absent status stays unchanged. The body may contain the pet's own `id`."
        )
      )
  )
  .add(
    HttpApiEndpoint.patch("updatePet", "/pets/:petId")
      .setPath(OnePet)
      .setPayload(PetPatch)
      .addSuccess(Pet)
      .pipe(failingWith(...CHANGING))
      .annotate(Stability, "beta")
      .annotateContext(
        about("Change a pet", "A merge patch (RFC 7396). The body may contain the pet's own `id`.")
      )
  )
  .add(
    HttpApiEndpoint.del("deletePet", "/pets/:petId")
      .setPath(OnePet)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(failingWith("not_found", "pet_in_use", ...OF_REMOVALS))
      .annotateContext(
        about(
          "Delete a pet",
          "Its inventory entry is deleted too. Refused while an open order reserves the pet."
        )
      )
  )
