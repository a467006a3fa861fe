/** A start that takes longer shows what it does. */
const HOLD_MS = 2_000;

export type HeldLines = {
  readonly write: (line: string) => void;
  /** Writes what was held; later lines are written at once. */
  readonly release: () => void;
};

/**
 * Holds the lines of the log while the daemon starts, so that the banner comes first. Nothing is lost:
 * they are written after the banner, when the start takes long, or when the process ends.
 */
export function holdLines(write: (line: string) => void): HeldLines {
  let held: string[] | undefined = [];
  function release(): void {
    const lines = held ?? [];
    held = undefined;
    clearTimeout(timer);
    process.off("exit", release);
    for (const line of lines) write(line);
  }
  const timer = setTimeout(release, HOLD_MS);
  timer.unref();
  process.once("exit", release);
  return {
    write(line) {
      if (held) held.push(line);
      else write(line);
    },
    release,
  };
}
