/** Runs a function in its own transaction, which is rolled back if the function throws. */
import type { Connection } from "./Driver.js"

/** `IMMEDIATE` takes the write lock first; `DEFERRED` takes locks with the first read and write. */
export const inTransaction = <A>(
  file: Connection,
  mode: "IMMEDIATE" | "DEFERRED",
  run: () => A
): A => {
  file.command(`BEGIN ${mode}`).run()
  try {
    const answer = run()
    file.command("COMMIT").run()
    return answer
  } finally {
    if (file.isInTransaction) file.command("ROLLBACK").run()
  }
}
