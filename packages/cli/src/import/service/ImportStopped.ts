/**
 * The import can't continue now. What is done is recorded; the same command continues from there.
 */
export class ImportStopped extends Error {
  override readonly name = "ImportStopped"
}
