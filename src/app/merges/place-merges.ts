import type { Texts } from "../../domain/locale.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import type { ServerRow } from "../ports/servers.ts";
import { hasCommit } from "../workspaces/place-of-change.ts";
import type { MergeWorld } from "./merge-round.ts";
import { updateEachMerge } from "./update-merges.ts";

/**
 * The server that leads gives each merge whose change it has not got to the server that has it, and
 * takes it back when that server is gone and the change is here, for example on a shared disk. One row
 * names one server, so that two never merge the same change. Returns whether a row has changed.
 */
export async function placeMerges(core: MergeWorld, merges: readonly Merge[]): Promise<boolean> {
  if (core.serverId === null || !core.isLeader()) return false;
  let hasChanged = false;
  let servers: readonly ServerRow[] | undefined;
  for (const merge of merges) {
    const owner = await ownerOf(core, merge);
    if (owner === null || owner === core.serverId) continue;
    servers ??= (await core.servers?.list()) ?? [];
    const row = servers.find(({ id, hasLeft }) => id === owner && !hasLeft);
    // It is that server's already.
    if (merge.serverId !== null && row) continue;
    const isHere = await hasCommit(core, merge.repository, merge.change);
    const placed = isHere
      ? await place(core, merge, null, null)
      : await place(core, merge, owner, waitingText(merge, owner, row));
    hasChanged ||= placed;
  }
  return hasChanged;
}

async function ownerOf({ store }: MergeWorld, merge: Merge): Promise<string | null> {
  return merge.serverId ?? (await store.getWorkspace(merge.workspaceId))?.serverId ?? null;
}

async function place(
  core: MergeWorld,
  merge: Merge,
  serverId: string | null,
  why: Texts | null,
): Promise<boolean> {
  const isSame = merge.serverId === serverId;
  if (merge.status === "ready_to_land") {
    // A person has to land it: its problem says what to do.
    if (isSame) return false;
    await core.store.transaction(async (unit) => {
      const found = await unit.getMerge(merge.id);
      if (found?.revision === merge.revision) await unit.updateMerge({ ...found, serverId }, found);
    });
    return true;
  }
  const said = merge.problem?.type === "refused" ? merge.problem.en : null;
  if (isSame && (why === null || said === why.en)) return false;
  const problem = why && ({ type: "refused", ...why } as const);
  await updateEachMerge(core, [{ merge, event: "requeued", changes: { serverId, problem } }]);
  return true;
}

/** People see it while the merge waits. */
function waitingText({ repository }: Merge, owner: string, row: ServerRow | undefined): Texts {
  return row
    ? {
        en: `It waits for the server ${owner} (${row.host}), whose repository ${repository} has the change.`,
        ja: `変更はサーバー ${owner}（${row.host}）のリポジトリ ${repository} にあるため、そのサーバーが取り込むのを待っています。`,
      }
    : {
        en: `The change is in the repository ${repository} of the server ${owner}, which is not running. It is merged when that server is started again.`,
        ja: `変更は、動いていないサーバー ${owner} のリポジトリ ${repository} にあります。そのサーバーをもう一度起動すると取り込みます。`,
      };
}
