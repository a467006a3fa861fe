import type { LoadedConfig } from "../../adapters/config/load-config.ts";

type Loaded = Pick<LoadedConfig, "isThere" | "file" | "config">;

/**
 * What nobody may switch off by accident, as a file does that is missing or empty for a moment while
 * it is being saved: the configuration as a whole, and that people sign in.
 */
export function refuseReload(now: Loaded, next: Loaded): void {
  if (now.isThere && !next.isThere) {
    throw new Error(
      `${next.file} is not there any more. Put it back; to run without it, restart the daemon.`,
    );
  }
  if (now.config.auth.users.length > 0 && next.config.auth.users.length === 0) {
    throw new Error(
      "Nobody would have to sign in any more (auth.users is empty now). If that is meant, restart the daemon.",
    );
  }
}
