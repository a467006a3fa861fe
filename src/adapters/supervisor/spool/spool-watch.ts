import { watch, type FSWatcher } from "node:fs";
import type { Log } from "../../../app/ports/world.ts";

const POLL_MS = 25;

/** How to hear of growing files; on macOS nothing is signalled while the writer keeps a file open. */
export function defaultWatchMode(): "watch" | "poll" {
  return process.platform === "darwin" ? "poll" : "watch";
}

/**
 * Tells which spool file has changed, undefined for any of them. A signal can get lost (the
 * kernel's queue is bounded), so it only makes things faster; the caller looks by itself too.
 */
export function watchSpool(options: {
  readonly directory: string;
  readonly mode: "watch" | "poll";
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
