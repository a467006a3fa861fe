import type { Backups } from "../../app/ports/backups.ts";
import type { DaemonPlace } from "../client/connect-or-start.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

/** Works on the files: a daemon may be running during a backup, and must not during a restore. */
export function createBackups({
  dataDir,
  config,
}: DaemonPlace & { readonly dataDir: string }): Backups {
  const place = {
    dataDir,
    configPath: config?.path,
    auditKeyFile: process.env["KUROMAJUTSU_AUDIT_KEY_FILE"] || undefined,
  };
  return {
    make: (options) => makeBackup(place, options),
    restore: (options) => restoreBackup(place, options),
  };
}
