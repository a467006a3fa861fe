import { writeSync } from "node:fs";

const ENTER = "\u001B[?1049h\u001B[?25l";
const LEAVE = "\u001B[?25h\u001B[?1049l";

export type FullScreen = {
  draw(lines: readonly string[]): void;
  close(): void;
};

/** What a person pressed; several keys can arrive at once. */
// oxlint-disable-next-line no-control-regex -- keys are control characters
const KEY = /\u001B\[[0-9;]*[A-Za-z~]|\u001BO[A-Z]|[\u0000-\u001F\u007F]|[^\u0000-\u001F\u007F]+/gu;

export function keysIn(chunk: string): readonly string[] {
  return (chunk.match(KEY) ?? []).flatMap((key) =>
    // Letters that arrive together are a text that was pasted or typed fast: one key each.
    key.startsWith("\u001B") ? [key.replace("\u001BO", "\u001B[")] : Array.from(key),
  );
}

/** Takes the terminal; gives it back on every way out, also when the process dies of an error. */
export function openFullScreen(on: {
  readonly onKey: (key: string) => void;
  readonly onResize: () => void;
  readonly onEnd: () => void;
}): FullScreen {
  const { stdin, stdout } = process;
  let isOpen = false;
  let drawn: readonly string[] = [];

  function enter(): void {
    isOpen = true;
    drawn = [];
    stdin.setRawMode(true);
    stdin.resume();
    stdout.write(ENTER);
  }
  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    stdin.setRawMode(false);
    // Synchronous: the process may be about to exit.
    writeSync(1, LEAVE);
  }
  function onData(chunk: Buffer | string): void {
    for (const key of keysIn(chunk.toString())) {
      if (key === "\u001A") suspend();
      else on.onKey(key);
    }
  }
  /** Ctrl-Z: the shell gets a clean screen; `fg` draws again. */
  function suspend(): void {
    leave();
    process.once("SIGCONT", () => {
      enter();
      on.onResize();
    });
    process.kill(process.pid, "SIGSTOP");
  }
  function onResized(): void {
    drawn = [];
    on.onResize();
  }
  function onSignal(): void {
    leave();
    on.onEnd();
  }
  const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on("exit", leave);
  stdin.on("data", onData);
  stdout.on("resize", onResized);
  enter();

  return {
    draw(lines) {
      if (!isOpen) return;
      const rows = Math.max(lines.length, drawn.length);
      let bytes = "";
      for (let row = 0; row < rows; row += 1) {
        const line = lines[row] ?? "";
        // Only lines that changed are written, so nothing flickers.
        if (drawn.length > 0 && line === drawn[row]) continue;
        bytes += `\u001B[${row + 1};1H\u001B[2K${line}`;
      }
      if (drawn.length === 0) bytes = `\u001B[2J${bytes}`;
      drawn = [...lines];
      if (bytes !== "") stdout.write(bytes);
    },
    close() {
      leave();
      for (const signal of signals) process.off(signal, onSignal);
      process.off("exit", leave);
      stdin.off("data", onData);
      stdin.pause();
      stdout.off("resize", onResized);
    },
  };
}
