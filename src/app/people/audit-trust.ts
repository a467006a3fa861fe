import type { FileTrust } from "../../contract/trust.ts";
import type { Core } from "../core.ts";
import { auditIn } from "./audit.ts";

const ACTION = "config.trust_changed";
/** Entries about the file that may have been written since the last one of ours. */
const LOOK_BACK = 100;

/**
 * Records what is trusted in the configuration file, if that is not what the last record says. It is
 * called before the configuration is put to use, so trust is never in use without a record, no matter
 * which process gave it.
 */
export async function auditTrust(
  core: Pick<Core, "clock" | "store">,
  file: FileTrust | null,
): Promise<void> {
  if (file === null) return;
  const { path, inUse } = file;
  const { entries } = await core.store.listAudit({ subject: path, limit: LOOK_BACK });
  const last = entries.find(({ action }) => action === ACTION);
  if ((last?.data["inUse"] ?? null) === inUse) return;
  const powers = file.powers
    .filter(({ isTrusted }) => isTrusted)
    .map(({ kind, name }) => `${kind} ${name}`);
  await core.store.transaction((unit) =>
    auditIn(core, unit, {
      actor: "system",
      action: ACTION,
      subject: path,
      data: { inUse, powers },
    }),
  );
}
