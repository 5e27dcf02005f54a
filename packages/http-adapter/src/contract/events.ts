/** The feed over HTTP: a stream of server-sent events. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { CHANGE_TYPES, type ChangeType, RECORD_KINDS } from "@petstore/core"
import { RECORD_TYPES } from "@petstore/core/adapter"
import { recordSchema } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { about, aboutGroup } from "./about.js"
import { failingWith } from "./ErrorBody.js"
import { EVENT_ID, type FeedPosition, parsePosition } from "./FeedPosition.js"
import { onceOf, repeated, text } from "./Parameter.js"
import { Stability } from "./Stability.js"

export const EVENT_STREAM_TYPE = "text/event-stream"

const Sequence = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
})

const Positive = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 1 }
})

const optional = <S extends Schema.Schema.AnyNoContext>(schema: S) =>
  Schema.optionalWith(schema, { exact: true })

/** The data of an event, for the description. Its type is {@link ShopEvent}. */
export const Event = Schema.Struct({
  sequence: Sequence,
  type: Schema.Literal(...CHANGE_TYPES, "resync"),
  at: optional(Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })),
  recordId: optional(Positive),
  revision: optional(Positive),
  record: optional(Schema.Union(...RECORD_TYPES.map(({ struct }) => recordSchema(struct))))
}).annotations({ identifier: "Event" })

/** The query of a stream. */
type EventQuery = {
  readonly after?: FeedPosition
  readonly lastEventId?: string
  readonly type?: ReadonlyArray<ChangeType>
}

type EventQueryText = {
  readonly after?: string
  readonly lastEventId?: string
  readonly type?: string | ReadonlyArray<string>
}

/** A sequence or an id, for the description. */
const Position = Schema.Union(Sequence, text({ pattern: EVENT_ID.source }))

/** The cast states that a type is a change type, which the server checks. */
const EventParameters = Schema.Struct({
  after: optional(
    onceOf(
      {
        schema: Schema.Union(Schema.Number, Schema.String),
        read: parsePosition,
        expected: "the sequence of a change, in plain digits, or the id of an event"
      },
      {
        value: Position.ast,
        description:
          "Begins after the change with this sequence (0 for the oldest stored one), or after " +
          "the event with this id. `Last-Event-ID` and `lastEventId` take precedence. Without " +
          "any of them, it begins with the next change."
      }
    )
  ),
  lastEventId: optional(
    onceOf(
      { schema: Schema.String, read: (id) => id, expected: "the id of an event", mayBeEmpty: true },
      {
        value: Schema.String.ast,
        description:
          "The same as `Last-Event-ID`, for `EventSource` polyfills, which send it in the " +
          "query. The header field takes precedence over it, and it over `after`."
      }
    )
  ),
  type: optional(
    repeated("text", {
      value: text({ enum: CHANGE_TYPES }).ast,
      description: "Only changes of these types. `resync` is always sent."
    })
  )
}) as unknown as Schema.Schema<EventQuery, EventQueryText>

export const eventsGroup = HttpApiGroup.make("events")
  .annotateContext(aboutGroup("Events", "Changes as they happen."))
  .add(
    HttpApiEndpoint.get("streamEvents", "/events")
      .setUrlParams(EventParameters)
      .addSuccess(HttpApiSchema.Text({ contentType: EVENT_STREAM_TYPE }))
      .pipe(failingWith("stability_opt_in_required"))
      .annotate(Stability, "experimental")
      .annotateContext(
        about(
          "Follow changes",
          "An endless stream of server-sent events, for `EventSource` and others: one for each " +
            `change of a record (${RECORD_KINDS.join(", ")}), in order, without a gap. ` +
            "Each has an id. To resume, send the last one as `Last-Event-ID`, as `EventSource` " +
            "does by itself, or as `after`. `resync` replaces changes that are no longer " +
            "stored: load your data anew, and continue. Comments are heartbeats."
        )
      )
  )
