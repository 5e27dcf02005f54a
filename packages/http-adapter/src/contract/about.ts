/** What operations and groups are for, in words. The annotations are the platform's own, so its tools see them too. */
import * as OpenApi from "@effect/platform/OpenApi"

/** One line, and what else a caller should know. */
export const about = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** The name of a group for people, and what it is about. */
export const aboutGroup = (title: string, description: string) => OpenApi.annotations({ title, description })
