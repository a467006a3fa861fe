import { applyToMerge, type Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import { requireOpenChange, requireWorkspace } from "../workspaces/require-workspace.ts";
import { mergeEvent } from "./merge-event.ts";
import { requireMerge } from "./require-merge.ts";

export type RetryMerge = { readonly id: string; readonly intoCheckout?: boolean };

/** An approved merge that did not land goes back to its place in the queue. */
export async function retryMerge(
  core: Core,
  identity: Identity,
  { id, intoCheckout }: RetryMerge,
): Promise<Merge> {
  const person = requirePerson(identity, "operator");
  return core.store.transaction(async (unit) => {
    const merge = await requireMerge(unit, id);
    unit.afterCommit(() => core.mergeSoon());
    // It waits for git or the disk: the queue only has to try again now.
    if (merge.status === "queued") return merge;
    const workspace = await requireWorkspace(unit, merge.workspaceId);
    requireOpenChange(workspace);
    if (workspace.version !== merge.version) throw newerVersion(merge, workspace.version);
    const retried = await unit.updateMerge(
      applyToMerge(merge, "retried", {
        intoCheckout: intoCheckout ?? merge.intoCheckout,
        ...NOTHING_TRIED,
      }),
      merge,
    );
    await recordAudit(core, unit, {
      actor: person.id,
      action: "merge.retried",
      subject: id,
      data: { target: merge.target, intoCheckout: retried.intoCheckout },
    });
    await unit.emit(mergeEvent(core, retried));
    return retried;
  });
}

/** What an earlier attempt left behind. */
export const NOTHING_TRIED = {
  from: null,
  result: null,
  checkExit: null,
  checkOutput: null,
  problem: null,
  conflicts: [],
} as const satisfies Partial<Merge>;

function newerVersion({ id, version }: Merge, newest: number): Refusal {
  return new Refusal("VERSION_CONFLICT", {
    en: [
      `Merge ${id} is about version ${version} of the change; the newest is ${newest}.`,
      "Look at the newest version and ask to merge that one.",
    ],
    ja: [
      `取り込み ${id} は変更のバージョン ${version} に対するものですが、最新は ${newest} です。`,
      "最新のバージョンを確かめて、それを取り込んでください。",
    ],
  });
}
