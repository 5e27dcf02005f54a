/** What is outside the API: no key, no limits. Whether the process lives, and whether it takes work. */
import type { Answer } from "./Incoming.js"
import type { Settings } from "./Options.js"

const answer = (status: number, state: string): Answer => ({
  status,
  headers: ["Content-Type", "application/json", "Cache-Control", "no-store"],
  body: `{"status":"${state}"}`
})

const ALLOW = ["Allow", "GET, HEAD, OPTIONS"]

/** The answer for `/health/live` and `/health/ready`, with or without the base path; undefined for any other path. */
export const healthAnswer = (
  path: string,
  method: string,
  { basePath, isReady }: Settings
): Answer | undefined => {
  const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  if (local !== "/health/live" && local !== "/health/ready") return undefined
  if (method === "OPTIONS") return { status: 204, headers: [...ALLOW], body: null }
  if (method !== "GET" && method !== "HEAD") return { status: 405, headers: [...ALLOW], body: "" }
  return local === "/health/live" || isReady() ? answer(200, "ok") : answer(503, "not ready")
}
