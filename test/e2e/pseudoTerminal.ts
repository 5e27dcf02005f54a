/** Runs the built `petstore` in a terminal, which python3 makes; Node has no call for it. */
import { spawn, spawnSync } from "node:child_process"
import { launcher } from "./petstore.js"
import { Screen } from "./Screen.js"

/** Whether there can be one here. */
export const hasPseudoTerminal = spawnSync("python3", ["-c", "import pty, termios"]).status === 0

/**
 * Takes `resize N` and `type N` (a character's code) a line on stdin; says on stdout what the
 * terminal gets.
 */
const PROGRAM = `
import fcntl, os, pty, select, struct, sys, termios
def resize(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
pid, fd = pty.fork()
if pid == 0:
    resize(0, int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
watched = [fd, 0]
while True:
    for each in select.select(watched, [], [])[0]:
        try:
            data = os.read(each, 65536)
        except OSError:
            data = b""
        if each == fd:
            if data == b"":
                sys.exit(abs(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
            os.write(1, data)
        elif data == b"":
            watched = [fd]
        else:
            for line in data.decode().split("\\n")[:-1]:
                what, number = line.split(" ")
                if what == "resize":
                    resize(fd, int(number))
                else:
                    os.write(fd, bytes([int(number)]))
`

export const CTRL_C = 3

export const inTerminal = (
  columns: number,
  args: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>> = {}
) => {
  const screen = new Screen(columns)
  const { PETSTORE_KEY: _, NODE_OPTIONS: __, ...rest } = process.env
  const child = spawn(
    "python3",
    ["-c", PROGRAM, String(columns), process.execPath, launcher, ...args],
    {
      env: { ...rest, TERM: "xterm", ...extra },
      stdio: ["pipe", "pipe", "inherit"]
    }
  )
  let raw = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text
    screen.write(text)
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return {
    screen,
    raw: () => raw,
    ended,
    resize: (to: number) => {
      screen.columns = to
      child.stdin.write(`resize ${to}\n`)
    },
    type: (code: number) => child.stdin.write(`type ${code}\n`),
    kill: () => child.kill("SIGKILL")
  }
}
