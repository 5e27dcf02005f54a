/**
 * Secrets as people hand them over: in a file, in a variable of the environment, or as an option.
 */

/**
 * White space around a secret is not part of it, wherever it comes from: files end with a newline,
 * and `$(cat key)` and secrets of containers do where one looks least. Undefined where nothing is
 * left.
 */
export const secretOf = (text: string | undefined): string | undefined => {
  const secret = text?.trim() ?? ""
  return secret === "" ? undefined : secret
}
