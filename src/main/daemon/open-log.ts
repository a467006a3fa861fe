import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { openLogFile } from "../../adapters/log-file.ts";
import { createLog } from "../../adapters/log.ts";
import type { Log } from "../../app/ports/world.ts";
import { homeOf } from "./settings-of.ts";

const BYTES_PER_MB = 1_048_576;

type Place = {
  readonly background: boolean;
  /** A person watches the terminal of the daemon. */
  readonly isWatched?: boolean;
  /** Takes the lines that go to stderr. */
  readonly writeLine?: (line: string) => void;
};

/**
 * Where the daemon logs: the configured file, else stderr. The stderr of a daemon in the background
 * is `daemon.log`, which is opened here too so that it rotates. A person who watches the terminal gets
 * only warnings and errors there, and the rest in `daemon.log`.
 */
export function openLog(loaded: LoadedConfig, place: Place): Log {
  const { level, format, maxSize_mb, keepFiles } = loaded.config.log;
  const path = logPath(loaded, place);
  if (path === undefined) return createLog(level, place.writeLine ?? toTerminal, format);
  // On the first start of all there is no ~/.local/state either. A configured folder must exist.
  if (loaded.config.log.file === undefined) makeFolder(loaded.dataDir);
  const file = open({ path, maxBytes: maxSize_mb * BYTES_PER_MB, keep: keepFiles });
  const log = createLog(level, (line) => file.write(line), format);
  if (!place.isWatched) return log;
  // A person who asks for debug lines gets all of them.
  return both(log, createLog(level === "info" ? "warn" : level, toTerminal));
}

export function toTerminal(line: string): void {
  process.stderr.write(line);
}

function both(first: Log, second: Log): Log {
  const at =
    (level: keyof Log): Log["info"] =>
    (message, fields) => {
      first[level](message, fields);
      second[level](message, fields);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** undefined: the log goes to stderr. */
export function logPath(loaded: LoadedConfig, place: Place): string | undefined {
  const { file } = loaded.config.log;
  if (file !== undefined) return resolve(homeOf(loaded), file);
  return place.background || place.isWatched ? join(loaded.dataDir, "daemon.log") : undefined;
}

function makeFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

function open(options: Parameters<typeof openLogFile>[0]) {
  try {
    return openLogFile(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The log file ${options.path} cannot be written (${why}). Change log.file in the configuration, or let this user write there.`,
      { cause: error },
    );
  }
}
