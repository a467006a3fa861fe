import type { Agent } from "../../domain/agents/agent.ts";
import { hasLabels } from "../../domain/workers/labels.ts";
import type { Core } from "../core.ts";
import { findRunner } from "../roles/resolve-runner.ts";
import { runnersOnWorkers } from "../workers/connected-workers.ts";
import { mayRunElsewhere } from "../workers/find-elsewhere.ts";
import { withoutWorktreesElsewhere } from "../workspaces/worktrees-elsewhere.ts";
import { withoutUnlisted } from "./without-unlisted.ts";
import { isUnbound, withoutThose, withoutUnusable } from "./without-unusable.ts";

/** Another host may have the keys of a client, the labels, the CLI, the model or the directory. */
export async function runnableHere(
  core: Core,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  const withKeys = agents.filter((agent) => hasKeys(core, agent));
  const { offer, host, serverId } = core;
  const wanted = offer
    ? withKeys.filter((agent) => hasLabels(offer.labels(), agent.labels))
    : withKeys;
  if (serverId === null) return wanted;
  const free = await withoutWorktreesElsewhere(core, wanted);
  if (host) return withoutUnusable(core, await host.accept(await withoutUnlisted(core, free)));
  const exist = await Promise.all(
    (await neededDirectories(core, free)).map((path) => core.directories.exists(path)),
  );
  const elsewhere = await runnersOnWorkers(core);
  const kept = await withoutThose(
    free.filter((_, index) => exist[index] === true),
    async (agent) =>
      !(await findRunner(core, agent.runner)) &&
      // Without a host that has the CLI, the agent fails here with a sentence that says so.
      (elsewhere.has(agent.runner) ||
        ((await isUnbound(core, agent)) && (await mayRunElsewhere(core, agent)))),
  );
  return withoutUnusable(core, await withoutUnlisted(core, kept));
}

/** A worktree that is not made yet needs its repository. */
async function neededDirectories(core: Core, agents: readonly Agent[]): Promise<readonly string[]> {
  const workspaces = await core.store.getWorkspaces(
    agents.flatMap(({ workspaceId }) => workspaceId ?? []),
  );
  const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
  return agents.map(({ workspaceId, workingDirectory }) => {
    const workspace = workspaceId === null ? undefined : byId.get(workspaceId);
    const isMade = workspace?.status === "ready" && workspace.workerId === null;
    return workspace === undefined || isMade ? workingDirectory : workspace.repository;
  });
}

/** A queued agent whose key was lost in a restart waits until its client sends the key again. */
export function hasKeys(core: Pick<Core, "clientKeys">, agent: Agent): boolean {
  return core.clientKeys.find(agent.id, agent.clientKeys) !== undefined;
}
