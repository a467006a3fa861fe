import type { Config } from "../../contract/config/schema.ts";

type Loaded = { readonly isThere: boolean; readonly file: string; readonly config: Config };

/**
 * A file can be missing or empty for a moment while it is being saved. Such a reload must not drop the
 * whole configuration or turn sign-in off.
 */
export function refuseReload(now: Loaded, next: Loaded): void {
  if (now.isThere && !next.isThere) {
    throw new Error(
      `${next.file} is not there any more. Put it back; to run without it, restart the daemon.`,
    );
  }
  if (now.config.auth.users.length > 0 && next.config.auth.users.length === 0) {
    throw new Error(
      "No one would have to sign in any more (auth.users is empty now). If you want that, restart the daemon.",
    );
  }
}
