import type { FileTrust } from "../../contract/shapes/trust.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "./audit.ts";

const ACTION = "config.trust_changed";
/** How many entries about the file are searched for the last one with this action. */
const LOOK_BACK = 100;

/**
 * Audits what is trusted in the configuration file, if the last entry says otherwise. It is called
 * before the configuration is used, so trust is never used without an entry, no matter which process
 * granted it.
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
    recordAudit(core, unit, {
      actor: "system",
      action: ACTION,
      subject: path,
      data: { inUse, powers },
    }),
  );
}
