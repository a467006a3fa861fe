const QUIET_MS = 1_000;
/** A file or a pipe gets a line now and then instead of one that is redrawn. */
const LINE_MS = 10_000;
const REDRAW_MS = 100;

export type ShownProgress = {
  readonly update: (done: number, total: number) => void;
  /** Call it before other output. */
  clear(): void;
};

/** Shows how far something is, after a second. */
export function showProgress(lineOf: (done: number, total: number) => string): ShownProgress {
  const { isTTY } = process.stderr;
  const every = isTTY ? REDRAW_MS : LINE_MS;
  let shownAt = performance.now() + QUIET_MS - every;
  let hasShown = false;
  return {
    update(done, total) {
      const now = performance.now();
      if (now - shownAt < every) return;
      shownAt = now;
      hasShown = true;
      const line = lineOf(done, total);
      process.stderr.write(isTTY ? `\r\u{1B}[K${line}` : `${line}\n`);
    },
    clear() {
      if (isTTY && hasShown) process.stderr.write("\r\u{1B}[K");
      hasShown = false;
    },
  };
}
