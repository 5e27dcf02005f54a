/**
 * Engines of other languages, to run the document's patterns in. Each is a program that is given
 * lines on stdin.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Base64 of a pattern and of a text on each line; the program prints one character for each: 1, 0,
 * or ! for a pattern that it refuses.
 */
type Engine = {
  readonly name: string
  /** What says whether the language is there. */
  readonly version: readonly [command: string, ...args: Array<string>]
  readonly file: string
  readonly run: readonly [command: string, ...args: Array<string>]
  readonly program: string
}

const PYTHON = `
import base64, re, sys
def text(word): return base64.b64decode(word).decode()
for line in sys.stdin:
    pattern, value = (line.rstrip("\\n").split(" ") + [""])[:2]
    try: print("1" if re.search(text(pattern), text(value)) else "0", end="")
    except re.error: print("!", end="")
`

const GO = `
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func text(word string) string {
	decoded, _ := base64.StdEncoding.DecodeString(word)
	return string(decoded)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		pattern, value, _ := strings.Cut(lines.Text(), " ")
		compiled, err := regexp.Compile(text(pattern))
		switch {
		case err != nil:
			fmt.Print("!")
		case compiled.MatchString(text(value)):
			fmt.Print("1")
		default:
			fmt.Print("0")
		}
	}
}
`

const JAVA = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.*;

public class Patterns {
  static String text(String word) {
    return new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
  }
  public static void main(String[] args) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int blank = line.indexOf(' ');
      try {
        Pattern pattern = Pattern.compile(text(line.substring(0, blank)));
        System.out.print(pattern.matcher(text(line.substring(blank + 1))).find() ? "1" : "0");
      } catch (PatternSyntaxException refused) {
        System.out.print("!");
      }
    }
  }
}
`

const PERL = `
use strict; use MIME::Base64; use Encode;
sub text { return decode("UTF-8", decode_base64($_[0])) }
while (my $line = <STDIN>) {
  chomp $line;
  my ($pattern, $value) = map { text($_) } (split(/ /, $line, -1));
  my $found = eval { $value =~ /$pattern/ ? "1" : "0" };
  print defined $found ? $found : "!";
}
`

export const ENGINES: ReadonlyArray<Engine> = [
  {
    name: "Python's re",
    version: ["python3", "--version"],
    file: "patterns.py",
    run: ["python3"],
    program: PYTHON
  },
  {
    name: "Go's regexp (RE2)",
    version: ["go", "version"],
    file: "patterns.go",
    run: ["go", "run"],
    program: GO
  },
  {
    name: "java.util.regex",
    version: ["java", "-version"],
    file: "Patterns.java",
    run: ["java"],
    program: JAVA
  },
  {
    name: "Perl",
    version: ["perl", "-MMIME::Base64", "-MEncode", "-e", "1"],
    file: "patterns.pl",
    run: ["perl"],
    program: PERL
  }
]

/** Whether the language is installed here. */
export const isThere = ({ version: [command, ...args] }: Engine): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

/** What the engine makes of each pair of a pattern and a text. */
export const runIn = (
  { file, run: [command, ...args], program }: Engine,
  pairs: ReadonlyArray<readonly [pattern: string, text: string]>
): string => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-patterns-"))
  try {
    const path = join(folder, file)
    writeFileSync(path, program)
    const words = pairs.map((pair) =>
      pair.map((text) => Buffer.from(text).toString("base64")).join(" ")
    )
    return execFileSync(command, [...args, path], {
      cwd: folder,
      input: `${words.join("\n")}\n`,
      encoding: "utf8",
      maxBuffer: 1 << 24
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
