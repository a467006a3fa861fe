import { join, resolve } from "node:path";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { openLogFile } from "../../adapters/log-file.ts";
import { createLog } from "../../adapters/log.ts";
import type { Log } from "../../app/ports/world.ts";
import { homeOf } from "./settings-of.ts";

const BYTES_PER_MB = 1_048_576;

/**
 * Where the daemon logs: the configured file, else stderr. The stderr of a daemon in the background
 * is `daemon.log`, which is opened here too so that it rotates.
 */
export function openLog(
  loaded: LoadedConfig,
  { background }: { readonly background: boolean },
): Log {
  const { level, format, maxSize_mb, keepFiles } = loaded.config.log;
  const path = pathOf(loaded, background);
  if (path === undefined) {
    return createLog(level, (line) => void process.stderr.write(line), format);
  }
  const file = open({ path, maxBytes: maxSize_mb * BYTES_PER_MB, keep: keepFiles });
  return createLog(level, (line) => file.write(line), format);
}

function pathOf(loaded: LoadedConfig, background: boolean): string | undefined {
  const { file } = loaded.config.log;
  if (file !== undefined) return resolve(homeOf(loaded), file);
  return background ? join(loaded.dataDir, "daemon.log") : undefined;
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
