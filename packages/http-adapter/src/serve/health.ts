/** What is outside the API: no key, no limits. Whether the process lives, and whether it takes work. */
import type { Answer } from "./Incoming.js"
import type { Settings } from "./Options.js"

const answer = (status: number, state: string): Answer => ({
  status,
  headers: ["Content-Type", "application/json", "Cache-Control", "no-store"],
  body: `{"status":"${state}"}`
})

/** Whether the process lives (`/health/live`), or takes work (`/health/ready`). */
export const healthAnswer = (path: "/health/live" | "/health/ready", { isReady }: Settings): Answer =>
  path === "/health/live" || isReady() ? answer(200, "ok") : answer(503, "not ready")
