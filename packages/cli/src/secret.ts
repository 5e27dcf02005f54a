/**
 * Reads a secret from a file, an environment variable or an option. White space around it is not
 * part of it, since files often end with a newline. Undefined if nothing is left.
 */
export const secretOf = (text: string | undefined): string | undefined => {
  const secret = text?.trim() ?? ""
  return secret === "" ? undefined : secret
}
