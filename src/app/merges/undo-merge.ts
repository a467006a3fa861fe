import { applyToMerge, type Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import { requireChangeHere } from "../workspaces/place-of-change.ts";
import { requireWorkspace } from "../workspaces/require-workspace.ts";
import { workspaceEvent } from "../workspaces/workspace-event.ts";
import { mergeEvent } from "./merge-event.ts";
import { requireMerge } from "./require-merge.ts";

/**
 * Moves the branch back to where it was, while nothing else has landed on it. Never through a
 * checkout: git would have to throw files of a person away.
 */
export async function undoMerge(core: Core, identity: Identity, id: string): Promise<Merge> {
  const person = requirePerson(identity, "operator");
  const merge = await requireMerge(core.store, id);
  const { from, result } = applyToMerge(merge, "undone");
  if (from === null || result === null) throw movedOn(merge);
  await requireChangeHere(core, await requireWorkspace(core.store, merge.workspaceId));
  await moveBack(core, merge, from, result);
  return core.store.transaction(async (unit) => {
    const before = await requireMerge(unit, id);
    const undone = await unit.updateMerge(
      applyToMerge(before, "undone", { endedAt: core.clock.now() }),
      before,
    );
    await recordAudit(core, unit, {
      actor: person.id,
      action: "merge.undone",
      subject: id,
      data: { target: merge.target, from: result, to: from },
    });
    await unit.emit(mergeEvent(core, undone));
    const workspace = await unit.getWorkspace(merge.workspaceId);
    if (workspace?.outcome === "merged") {
      const opened = { ...workspace, outcome: "open", closedAt: null } as const;
      await unit.emit(workspaceEvent(core, await unit.updateWorkspace(opened, workspace)));
    }
    return undone;
  });
}

async function moveBack(core: Core, merge: Merge, from: string, result: string): Promise<void> {
  const { repository, target } = merge;
  const tip = await core.git.resolve(repository, `refs/heads/${target}`);
  // An earlier attempt died after git had moved it, or a person has run the command.
  if (tip === from) return;
  if (tip !== result) throw movedOn(merge);
  const move = await core.git.moveBranch(repository, target, result, from);
  if (move.result === "moved_meanwhile") throw movedOn(merge);
  if (move.result === "checked_out") throw isCheckedOut(merge, move.path, from);
}

function movedOn({ id, target, result }: Merge): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `${target} is not at the result of ${id} any more, so moving it back would lose later work.`,
      `Revert the commit instead: git revert ${result ?? ""}`,
    ],
    ja: [
      `${target} は ${id} の結果から先に進んでいるため、戻すと後の変更が失われます。`,
      `代わりにコミットを打ち消してください: git revert ${result ?? ""}`,
    ],
  });
}

function isCheckedOut({ target }: Merge, path: string, from: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `${target} is checked out in ${path}, which is not touched.`,
      `Run there: git reset --keep ${from} (it keeps uncommitted work). Then undo again to record it.`,
    ],
    ja: [
      `${target} は ${path} でチェックアウトされています（変更していません）。`,
      `そこで git reset --keep ${from} を実行し（未コミットの作業は残ります）、もう一度取り消すと記録されます。`,
    ],
  });
}
