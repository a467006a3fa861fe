import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";

const MAX_TRIES = 5;

/** A block of ports that no other workspace has; the row is the lease. */
export async function leasePorts(core: Core, workspace: Workspace): Promise<Workspace> {
  const { ports } = core.settings.workspace;
  if (workspace.ports !== null || ports.perAgent === 0) return workspace;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const taken = await core.store.listLeasedPorts();
    const found = await core.workspaceTools.findPorts(ports, ports.perAgent, taken);
    if (found === null) throw noPorts(ports);
    const leased = await core.store.transaction(async (unit) => {
      const now = await unit.listLeasedPorts();
      const isTaken = now.some(
        ({ from, count }) => from < found.from + found.count && found.from < from + count,
      );
      // Another workspace was faster.
      if (isTaken) return undefined;
      return unit.updateWorkspace({ ...workspace, ports: found }, workspace);
    });
    if (leased) return leased;
  }
  throw noPorts(ports);
}

function noPorts({ from, to }: { readonly from: number; readonly to: number }): Refusal {
  return new Refusal("ISOLATION_NOT_POSSIBLE", {
    en: [
      `No block of ports from ${from} to ${to} is free.`,
      "Remove worktrees that are not needed, widen workspace.ports, or set perAgent to 0.",
    ],
    ja: [
      `${from} から ${to} までに、空いているポートのまとまりがありません。`,
      "不要な作業ツリーを片付けるか、workspace.ports を広げるか、perAgent を 0 にしてください。",
    ],
  });
}
