import { watch, type FSWatcher } from "node:fs";
import type { Log } from "../../../app/ports/world.ts";

const POLL_MS = 25;

export type WatchMode = "watch" | "poll";

/** macOS sends no event while the writer keeps a file open, so the spool is polled there. */
export function defaultWatchMode(): WatchMode {
  return process.platform === "darwin" ? "poll" : "watch";
}

/**
 * Reports the name of a spool file that has changed; undefined: any of them may have. Events can be
 * lost (the kernel's queue is bounded), so the caller must also poll; events only make it faster.
 */
export function watchSpool(options: {
  readonly directory: string;
  readonly mode: WatchMode;
  readonly log: Log;
  readonly onChange: (name: string | undefined) => void;
}): { close(): void } {
  const { directory, mode, log, onChange } = options;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;

  function poll(): void {
    watcher?.close();
    timer ??= setInterval(() => onChange(undefined), POLL_MS);
  }

  if (mode === "poll") poll();
  else {
    try {
      watcher = watch(directory, (_, name) => onChange(name ?? undefined));
      watcher.on("error", (error) => {
        log.warn("The spool cannot be watched; it is polled instead", { error });
        poll();
      });
    } catch (error) {
      log.warn("The spool cannot be watched; it is polled instead", { error });
      poll();
    }
  }

  return {
    close() {
      watcher?.close();
      clearInterval(timer);
    },
  };
}
