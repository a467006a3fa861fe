import { rmSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../../adapters/key-file.ts";
import { RESTORED_MARK } from "../../adapters/store/half-swapped.ts";
import { abandonRestored } from "../../app/agents/abandon-restored.ts";
import type { Core } from "../../app/core.ts";
import { cancelRestoredMerges } from "../../app/merges/cancel-restored.ts";
import { skipPastTimes } from "../../app/schedules/skip-past-times.ts";
import { giveUpRestored } from "../../app/workspaces/give-up-restored.ts";
import { fieldsOf, parseJson, textOf } from "../../base/narrow.ts";

/** The first start after `kuromajutsu restore`: nothing of the backup goes on by itself. */
export async function settleAfterRestore(core: Core, dataDir: string): Promise<void> {
  const path = join(dataDir, RESTORED_MARK);
  const text = readIfThere(path);
  if (text === undefined) return;
  const { createdAt, version } = fieldsOf(parseJson(text));
  const from = { createdAt: textOf(createdAt) ?? "", version: textOf(version) ?? "" };
  // Before the end of an agent is recorded: its directory must not be captured.
  await giveUpRestored(core);
  await cancelRestoredMerges(core);
  await abandonRestored(core, from);
  await skipPastTimes(core);
  rmSync(path, { force: true });
  core.log.info("Using restored data. Agents of the backup are not started again.", from);
}
