/** Titles and descriptions, as annotations of the platform, so that its tools show them too. */
import * as OpenApi from "@effect/platform/OpenApi"

/** The summary and the description of an operation. */
export const about = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description })

/** The title and the description of a group. */
export const aboutGroup = (title: string, description: string) =>
  OpenApi.annotations({ title, description })
