/** Breaks a text at white space into lines of at most `width`, unless a word is longer. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ""
    }
    line += line === "" ? word : ` ${word}`
  }
  return line === "" ? lines : [...lines, line]
}
