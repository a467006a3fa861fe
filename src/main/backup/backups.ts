import { type Backups, BackupRefused } from "../../app/ports/backups.ts";
import { loadConfigHere } from "../cli/load-config-here.ts";
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
    async make(options) {
      if (await isInPostgres()) refuse("backup");
      return makeBackup(place, options);
    },
    async restore(options) {
      if (options.to === undefined && (await isInPostgres())) refuse("restore");
      return restoreBackup(place, options);
    },
  };
  function refuse(command: "backup" | "restore"): never {
    throw new BackupRefused({ kind: "postgres", dataDir, command });
  }
}

/** A wrong configuration must not keep a person from saving the files. */
async function isInPostgres(): Promise<boolean> {
  const loaded = await loadConfigHere().catch(() => undefined);
  return loaded?.config.store.url !== undefined;
}
