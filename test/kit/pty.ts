import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { BIN, type Place, until } from "./daemon.ts";

export const KEYS = {
  enter: "\r",
  escape: "\u001B",
  ctrlC: "\u0003",
  up: "\u001B[A",
  down: "\u001B[B",
  tab: "\t",
} as const;

export type PtyOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than the product, such as bash. */
  readonly program?: string;
};

export type Pty = {
  readonly pid: number;
  /** What the screen shows now, line by line, without trailing spaces. */
  screen(): readonly string[];
  /** Everything that has scrolled by and the screen. */
  history(): string;
  /** The bytes as the program wrote them. */
  raw(): string;
  /** Whether the program uses the alternate screen. */
  isAlternate(): boolean;
  isCursorHidden(): boolean;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen shows the text. Rejects with the screen if it does not. */
  waitFor(text: string | RegExp, withinMs?: number): Promise<void>;
  /** Waits until the text appears among all lines, scrolled ones too. */
  waitForLine(text: string | RegExp, withinMs?: number): Promise<void>;
  /** The exit code, once the program has ended and everything it wrote is on the screen. */
  exited(): Promise<number>;
  kill(signal: NodeJS.Signals): void;
};

/** Starts the built product in a real pseudo-terminal. */
export function aPty(place: Place, args: readonly string[], options: PtyOptions = {}): Pty {
  const { columns = 80, rows = 24, program } = options;
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 5_000,
    allowProposedApi: true,
  });
  const config = join(place.dir, "kuromajutsu.config.yaml");
  const named: Record<string, string> = existsSync(config) ? { KUROMAJUTSU_CONFIG: config } : {};
  const argv = program === undefined ? [BIN, ...args] : [...args];
  const child = spawn(program ?? process.execPath, argv, {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: place.dir,
    env: { ...named, ...place.env, TERM: "xterm-256color", ...options.env },
  });
  let raw = "";
  let code: number | undefined;
  child.onData((data) => {
    raw += data;
    terminal.write(data);
  });
  child.onExit(({ exitCode, signal }) => (code = signal ? 128 + signal : exitCode));
  onTestFinished(() => {
    if (code === undefined) process.kill(child.pid, "SIGKILL");
    terminal.dispose();
  });

  const lines = (from: number, to: number) =>
    Array.from(
      { length: to - from },
      (_, index) => terminal.buffer.active.getLine(from + index)?.translateToString(true) ?? "",
    );
  const screen = () => {
    const { baseY } = terminal.buffer.active;
    return lines(baseY, baseY + terminal.rows);
  };
  const history = () => lines(0, terminal.buffer.active.length).join("\n");
  const wait = (text: string | RegExp, where: () => string, withinMs = 30_000) =>
    until(() => shows(text, where()), undefined, withinMs).catch((error: unknown) => {
      const ended = code === undefined ? "" : ` The program ended with ${code}.`;
      const message = `The screen never showed ${String(text)}.${ended}\n${screen().join("\n")}`;
      throw new Error(message, { cause: error });
    });

  return {
    pid: child.pid,
    screen,
    history,
    raw: () => raw,
    isAlternate: () => terminal.buffer.active.type === "alternate",
    isCursorHidden: () => raw.lastIndexOf("\u001B[?25l") > raw.lastIndexOf("\u001B[?25h"),
    type: (keys) => child.write(keys),
    resize(newColumns, newRows) {
      // The emulator first, so that it reflows before the program draws again.
      terminal.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    waitFor: (text, withinMs) => wait(text, () => screen().join("\n"), withinMs),
    waitForLine: (text, withinMs) => wait(text, history, withinMs),
    async exited() {
      await until(() => code !== undefined);
      // What arrived with the exit is parsed in the background.
      await new Promise<void>((resolve) => terminal.write("", resolve));
      return code ?? 0;
    },
    kill: (signal) => process.kill(child.pid, signal),
  };
}

function shows(text: string | RegExp, where: string): boolean {
  return typeof text === "string" ? where.includes(text) : text.test(where);
}
