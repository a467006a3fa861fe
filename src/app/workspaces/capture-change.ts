import { retryUntilDone } from "../../base/retry-until-done.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { ResultChange } from "../../domain/agents/result.ts";
import { MAX_LISTED_PATHS, type ChangeVersion } from "../../domain/changes/change.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Attention } from "../../domain/workspaces/attention.ts";
import { applyToWorkspace, versionRef, type Workspace } from "../../domain/workspaces/workspace.ts";
import { damageNote } from "../../domain/workspaces/worktree-damage.ts";
import { writtenOutside } from "../../domain/workspaces/written-outside.ts";
import { recordEnd } from "../agents/record-observations.ts";
import { settleUnstarted } from "../agents/settle-unstarted.ts";
import type { Core } from "../core.ts";
import { supersedeMerges } from "../merges/supersede-merges.ts";
import type { FileChange } from "../ports/git.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { PendingEnd } from "../ports/workspace-store.ts";
import { usableProgress } from "../workers/check-progress.ts";
import { thisServer } from "./place-of-change.ts";
import { isOnHost } from "./place-of-worktree.ts";
import { workspaceEvent } from "./workspace-event.ts";
import { captureAuthor, limitsOf, worktreeOf } from "./worktree-of.ts";

/** Git refuses for a moment when a disk is full or another program holds a lock. */
const MAX_TRIES = 3;
const RETRY_MS = 1_000;
const MAX_RESULT_PATHS = 50;

/**
 * Commits what an agent left in its worktree on its branch and settles the agent. After a crash at
 * any point the agent is still `capturing`, and the next daemon does it again: git finds the same
 * tree, so there is one version.
 */
export async function captureChange(
  core: Core,
  agentId: AgentId,
  signal: AbortSignal,
): Promise<void> {
  const captured = await captureWithRetries(core, agentId, signal);
  if (!captured || signal.aborted) return;
  await retryUntilDone(
    // Another process settles it, if this one may no longer.
    async () => (signal.aborted ? undefined : settle(core, captured)),
    (error) =>
      core.log.error("The captured change of an agent could not be stored; trying again.", {
        agentId,
        error: String(error),
      }),
  );
}

type Captured = CapturedTree & {
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly end: PendingEnd;
};

type CapturedTree = {
  /** undefined: the worktree is damaged, or nothing new is in it. */
  readonly version: ChangeVersion | undefined;
  readonly damage: Texts | undefined;
  readonly attention: readonly Attention[];
  readonly diskBytes: number;
};

const NOTHING = { version: undefined, damage: undefined, attention: [], diskBytes: 0 } as const;

/**
 * Captures a damaged worktree that is whole again, for example because its repository was moved away
 * and back. False: it is still damaged.
 */
export async function captureAgain(core: Core, seen: Workspace): Promise<boolean> {
  const agent = await core.store.getAgent(seen.agentId);
  if (!agent) return false;
  const progress = await core.store.getProgress(agent.id);
  const captured = await capture(core, agent, seen, progress);
  if (captured.damage !== undefined) return false;
  return core.store.transaction(async (unit) => {
    const workspace = await unit.getWorkspace(seen.id);
    if (workspace?.revision !== seen.revision) return false;
    await storeVersion(core, unit, workspace, captured);
    return true;
  });
}

async function captureWithRetries(
  core: Core,
  agentId: AgentId,
  signal: AbortSignal,
): Promise<Captured | undefined> {
  const agent = await core.store.getAgent(agentId);
  if (agent?.process !== "capturing") return undefined;
  const workspace = await core.store.getWorkspace(agent.workspaceId ?? "");
  const pending = await core.store.listCapturing();
  const stored = pending.find((each) => each.agentId === agentId)?.end;
  if (!workspace || !stored) throw new Error(`The workspace or the end of ${agentId} is missing.`);
  const end = { ...stored, progress: usableProgress(core, agentId, stored.progress) };
  // The directory was given up after a restore: it is another daemon's.
  if (workspace.status === "retired") return { agent, workspace, end, ...NOTHING };
  for (let tries = 1; ; tries++) {
    try {
      return { agent, workspace, end, ...(await capture(core, agent, workspace, end.progress)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      core.log.warn("The change of an agent could not be captured.", {
        agentId,
        tries,
        error: error.message,
      });
      if (tries >= MAX_TRIES || signal.aborted) {
        const damaged = { ...NOTHING, damage: explained(error) };
        return signal.aborted ? undefined : { agent, workspace, end, ...damaged };
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function capture(
  core: Core,
  agent: Agent,
  workspace: Workspace,
  progress: AgentProgress,
): Promise<CapturedTree> {
  const attention: Attention[] = [];
  const { repository, path, source } = workspace;
  if (!isOnHost(core, workspace)) {
    const damage = await whereItIs(core, workspace);
    return { version: undefined, damage, attention, diskBytes: workspace.diskBytes ?? 0 };
  }
  const worktree = worktreeOf(workspace);
  const state = await core.git.inspectWorktree(repository, worktree);
  if (state.state !== "present") {
    const reason = state.state === "missing" ? "missing" : state.reason;
    const damage = damageNote(reason, { path, worker: await workerOf(core, workspace) });
    return { version: undefined, damage, attention, diskBytes: 0 };
  }
  if ((await core.git.fingerprint(repository, path)) !== workspace.fingerprint) {
    attention.push({ type: "git_configuration_changed" });
  }
  const files = [...progress.editedFiles, ...progress.createdFiles, ...progress.deletedFiles];
  for (const outside of writtenOutside(files, path, source)) {
    attention.push({ type: "wrote_outside", path: outside });
  }
  const next = workspace.version + 1;
  const captured = await core.git.capture(repository, {
    worktree,
    keepAs: versionRef(workspace.id, next),
    message: messageOf(agent, workspace),
    author: captureAuthor(`${agent.role} (${agent.runner})`),
    limits: limitsOf(core),
    at: core.clock.now(),
  });
  attention.push(...captured.attention);
  const diskBytes = await core.git.diskUse(path);
  const base = workspace.base ?? captured.commit;
  if (captured.commit === (workspace.head ?? workspace.start)) {
    return { version: undefined, damage: undefined, attention, diskBytes };
  }
  const changes = await core.git.listChanges(repository, base, captured.commit);
  const version: ChangeVersion = {
    workspaceId: workspace.id,
    version: next,
    agentId: agent.id,
    base,
    commit: captured.commit,
    tree: captured.tree,
    ...numbersOf(changes),
    paths: changes.slice(0, MAX_LISTED_PATHS).map((change) => change.path),
    attention,
    at: core.clock.now(),
  };
  return { version, damage: undefined, attention, diskBytes };
}

/** What happened, and what to do. */
function explained({ texts }: Refusal): Texts {
  return { en: texts.en.join(" "), ja: texts.ja.join("") };
}

/** Its worker is gone. The files are not, unless a person cleans the worktree up. */
async function whereItIs(core: Core, workspace: Workspace): Promise<Texts> {
  const { path } = workspace;
  const name = await workerOf(core, workspace);
  return {
    en: `The worktree is on the worker ${name}, which is gone, in ${path}. Start that worker again with its data directory; the change is then captured. Do not clean the worktree up before: the worker would delete it.`,
    ja: `作業ツリーは、つながっていないワーカー ${name} の ${path} にあります。そのワーカーを同じデータディレクトリで起動すると、変更が記録されます。その前に片付けないでください。ワーカーが作業ツリーを削除してしまいます。`,
  };
}

/** The name of the worker that has the worktree; undefined: a server has it. */
async function workerOf(core: Core, { workerId }: Workspace): Promise<string | undefined> {
  if (workerId === null) return undefined;
  const workers = await core.workers?.list();
  return workers?.find(({ id }) => id === workerId)?.name ?? workerId;
}

function numbersOf(changes: readonly FileChange[]) {
  const sum = (pick: (change: FileChange) => number | null) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return {
    files: changes.length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}

async function settle(core: Core, captured: Captured): Promise<void> {
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(captured.agent.id);
    const workspace = await unit.getWorkspace(captured.workspace.id);
    if (agent?.process !== "capturing" || !workspace) return;
    const isGivenUp = workspace.status === "retired";
    const after = isGivenUp ? workspace : await storeVersion(core, unit, workspace, captured);
    await unit.deletePendingEnd(agent.id);
    await recordEnd(core, unit, agent, captured.end, await resultOf(unit, after));
    await reopenIfWaiting(core, unit, agent.id, after);
  });
}

/** An agent that begins again (a limit, a lost conversation) gets its worktree again. */
async function reopenIfWaiting(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  workspace: Workspace,
): Promise<void> {
  if ((await unit.getAgent(agentId))?.process !== "waiting") return;
  if (workspace.status === "damaged") {
    const error = "Its worktree is damaged, so it cannot begin again.";
    return settleUnstarted(core, unit, agentId, "start_failed", error);
  }
  const start = workspace.head ?? workspace.start;
  const reopened = applyToWorkspace(workspace, "reopened", { start });
  await unit.emit(workspaceEvent(core, await unit.updateWorkspace(reopened, workspace)));
}

async function storeVersion(
  core: Core,
  unit: UnitOfWork,
  workspace: Workspace,
  { version, damage, attention, diskBytes }: CapturedTree,
): Promise<Workspace> {
  const now = core.clock.now();
  if (version) await unit.insertVersion(version);
  const after = await unit.updateWorkspace(
    damage === undefined
      ? applyToWorkspace(workspace, "captured", {
          attention,
          diskBytes,
          capturedAt: now,
          serverId: thisServer(core),
          ...(version && {
            version: version.version,
            head: version.commit,
            files: version.files,
            added: version.added,
            removed: version.removed,
          }),
        })
      : applyToWorkspace(workspace, "damaged", {
          attention: [
            // It may have been noted while the agent worked.
            ...workspace.attention.filter(({ type }) => type !== "damaged"),
            { type: "damaged", reason: damage.en, reasonJa: damage.ja },
          ],
        }),
    workspace,
  );
  if (version) await supersedeMerges(core, unit, after);
  await unit.emit(workspaceEvent(core, after));
  return after;
}

async function resultOf(unit: UnitOfWork, workspace: Workspace): Promise<ResultChange | null> {
  const { id, branch, base, head, version, files, added, removed, attention } = workspace;
  if (base === null) return null;
  const newest = version === 0 ? undefined : await unit.getVersion(id, version);
  const paths = newest?.paths.slice(0, MAX_RESULT_PATHS) ?? [];
  return {
    workspaceId: id,
    branch,
    base,
    commit: head,
    version,
    files,
    added,
    removed,
    paths,
    attention,
  };
}

function messageOf(agent: Agent, { groupId, taskId }: Workspace): string {
  return [
    `Change of ${agent.id}`,
    "",
    `Kuromajutsu-Agent: ${agent.id}`,
    `Kuromajutsu-Group: ${groupId}`,
    ...(taskId === null ? [] : [`Kuromajutsu-Task: ${taskId}`]),
  ].join("\n");
}
