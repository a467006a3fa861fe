import { rmSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../../adapters/key-file.ts";
import { type MOVED_MARK, RESTORED_MARK } from "../../adapters/store/half-swapped.ts";
import {
  abandonRestored,
  type RestoredFrom,
  type RestoredHosts,
} from "../../app/agents/abandon-restored.ts";
import type { Core } from "../../app/core.ts";
import { cancelRestoredMerges } from "../../app/merges/cancel-restored.ts";
import { skipPastTimes } from "../../app/schedules/skip-past-times.ts";
import { endRestored } from "../../app/servers/end-restored.ts";
import { giveUpRestored } from "../../app/workspaces/give-up-restored.ts";
import { fieldsOf, parseJson, textOf } from "../../base/narrow.ts";

/**
 * The first start after `kuromajutsu restore` or `migrate --from`: nothing of the backup, or of the
 * data before, goes on by itself.
 */
export async function settleAfterRestore(
  core: Core,
  dataDir: string,
  mark: typeof RESTORED_MARK | typeof MOVED_MARK = RESTORED_MARK,
): Promise<void> {
  const path = join(dataDir, mark);
  const text = readIfThere(path);
  if (text === undefined) return;
  const { createdAt, version } = fieldsOf(parseJson(text));
  const from = { createdAt: textOf(createdAt) ?? "", version: textOf(version) ?? "" };
  await settle(core, from, "own");
  rmSync(path, { force: true });
}

/**
 * The first start after `pg_restore`. Before this server enters those that share the database: the
 * leases in the dump are old, and a take-over would start agents again.
 */
export async function settleRestoredDatabase(core: Core, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const { settleRestore } = await import("../../adapters/store/postgres/restores.ts");
  await settleRestore({ url, name: "kuromajutsu restore", log: core.log }, (lastEventAt) =>
    settle(core, { createdAt: new Date(lastEventAt).toISOString() }, "all"),
  );
}

async function settle(core: Core, from: RestoredFrom, hosts: RestoredHosts): Promise<void> {
  // Before the end of an agent is recorded: its directory must not be captured.
  await giveUpRestored(core);
  await cancelRestoredMerges(core);
  if (hosts === "own") await abandonRestored(core, from, hosts);
  else await endRestored(core, (held) => abandonRestored(held, from, hosts));
  await skipPastTimes(core);
  core.log.info("Using restored data. Its agents are not started again.", from);
}
