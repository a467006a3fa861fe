import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { isStoreRefusal, Refusal } from "../../domain/refusal.ts";
import type { Attention } from "../../domain/workspaces/attention.ts";
import {
  applyToWorkspace,
  baseRef,
  portVariables,
  type Workspace,
} from "../../domain/workspaces/workspace.ts";
import { isTakenHere } from "../agents/is-taken-here.ts";
import { settleUnstarted } from "../agents/settle-unstarted.ts";
import type { Core } from "../core.ts";
import { NotFetched } from "../ports/worker-worktrees.ts";
import { handBack } from "./hand-back.ts";
import { leasePorts } from "./lease-ports.ts";
import { thisServer } from "./place-of-change.ts";
import { isOnHost, moveAgentTo, placeHere } from "./place-of-worktree.ts";
import { stageBase, type StageBase } from "./stage-base.ts";
import { workspaceEvent } from "./workspace-event.ts";
import { captureAuthor, limitsOf, worktreeOf } from "./worktree-of.ts";

/**
 * Makes the worktree of an agent that is due. Every step can be repeated: a daemon that dies in the
 * middle leaves the agent waiting, and the next one does it again.
 */
export async function prepareWorkspace(
  core: Core,
  agentId: AgentId,
  signal: AbortSignal,
): Promise<void> {
  const agent = await core.store.getAgent(agentId);
  if (agent?.process !== "waiting" || agent.workspaceId === null) return;
  if (!isTakenHere(core, agent)) return;
  try {
    const begun = await begin(core, agent);
    if (!begun) return;
    const located = await locate(core, begun);
    if (!located) return;
    await core.git.addWorktree(located.repository, worktreeOf(located));
    const leased = await leasePorts(core, located);
    const made = await setUp(core, leased, signal);
    if (!signal.aborted) await finish(core, made);
  } catch (error) {
    // A setup command that was ended with the daemon is no failure of the agent.
    if (signal.aborted) return;
    if (error instanceof NotFetched) return handBack(core, agent, error);
    if (!(error instanceof Refusal) || isTransient(error)) throw error;
    const { code, message, hint } = error;
    const attention: readonly Attention[] = error instanceof SetupFailed ? [error.attention] : [];
    await fail(core, agent, `${message} ${hint}`, attention);
    core.log.warn("A worktree could not be prepared.", { agentId, code, error: message });
  }
}

/** No failure of the agent: the database is away, or another server has changed the workspace. */
function isTransient(error: Refusal): boolean {
  return isStoreRefusal(error) || error.code === "VERSION_CONFLICT";
}

class SetupFailed extends Refusal {
  readonly attention: Attention;
  constructor(output: string, why: string, whyJa: string) {
    super("ISOLATION_NOT_POSSIBLE", {
      en: [`workspace.setup ${why}: ${output}`, "Mend the command, then start the agent again."],
      ja: [
        `workspace.setup ${whyJa}: ${output}`,
        "コマンドを直してから、エージェントをもう一度起動してください。",
      ],
    });
    this.attention = { type: "setup_failed", output };
  }
}

async function begin(core: Core, { id, workspaceId }: Agent): Promise<Workspace | undefined> {
  const seen = await core.store.getWorkspace(workspaceId ?? "");
  const place = seen && (await placeHere(core, seen));
  return core.store.transaction(async (unit) => {
    const found = await unit.getWorkspace(workspaceId ?? "");
    if (!found || (found.status === "ready" && isOnHost(core, found))) return undefined;
    if (!isTakenHere(core, await unit.getAgent(id))) return undefined;
    const changes = { ...place, fetchProblem: null, serverId: thisServer(core) };
    const begun = await unit.updateWorkspace(applyToWorkspace(found, "prepare", changes), found);
    await moveAgentTo(core, unit, begun);
    await unit.emit(workspaceEvent(core, begun));
    return begun;
  });
}

/** The commits that the work begins from; undefined: a person is asked first. */
async function locate(core: Core, workspace: Workspace): Promise<Workspace | undefined> {
  if (workspace.base !== null && workspace.start !== null) return workspace;
  const found: StageBase =
    workspace.basedOn.kind === "working-tree"
      ? await snapshotBase(core, workspace)
      : await stageBase(core, workspace);
  if (found.kind === "asked") return undefined;
  return core.store.transaction((unit) =>
    unit.updateWorkspace({ ...workspace, base: found.base, start: found.start }, workspace),
  );
}

async function snapshotBase(core: Core, { source, id }: Workspace): Promise<StageBase> {
  const oid = await core.git.snapshot(source, baseRef(id), core.clock.now());
  return { kind: "found", base: oid, start: oid };
}

/** Copies ignored files and runs the setup command. What the setup changes belongs to the base. */
async function setUp(core: Core, workspace: Workspace, signal: AbortSignal): Promise<Workspace> {
  const { copy, setup, setupTimeoutMs } = core.settings.workspace;
  if (copy.length > 0) {
    await core.workspaceTools.copyIgnored(workspace.source, workspace.path, copy);
  }
  if (setup === null) return workspace;
  await core.workspaceTools.endLeftovers(workspace.id);
  const end = await core.workspaceTools.run({
    command: setup,
    directory: workspace.path,
    variables: portVariables(workspace.ports),
    timeoutMs: setupTimeoutMs,
    mark: workspace.id,
    signal,
    onLine: (line) => tellProgress(core, workspace, line),
  });
  if (signal.aborted || end.exitCode === 0) {
    return signal.aborted ? workspace : withSetupInBase(core, workspace);
  }
  const output = end.output.trim().slice(-MAX_OUTPUT_CHARS);
  if (end.timedOut) throw new SetupFailed(output, "took too long", "が時間切れになりました");
  const code = end.exitCode ?? "?";
  throw new SetupFailed(output, `ended with ${code}`, `が終了コード ${code} で終わりました`);
}

const MAX_OUTPUT_CHARS = 2_000;

/** For dashboards: what the setup command says, while the agent still waits. */
function tellProgress(core: Core, { agentId, groupId }: Workspace, line: string): void {
  core.events.emit({
    type: "agent:status_update",
    groupId,
    agentId,
    data: { status: "queued", lastMessage: `workspace.setup: ${line}` },
    at: core.clock.now(),
  });
}

/** Otherwise a lock file that the setup rewrote would be part of every agent's change. */
async function withSetupInBase(core: Core, workspace: Workspace): Promise<Workspace> {
  const { start, base } = workspace;
  if (start === null || base !== start || workspace.version > 0) return workspace;
  const changed = await core.git.changedPaths(workspace.path, start);
  if (changed.length === 0) return workspace;
  const { commit } = await core.git.capture(workspace.repository, {
    worktree: worktreeOf(workspace),
    keepAs: baseRef(workspace.id),
    message: "Prepare the worktree (workspace.setup)",
    author: captureAuthor("setup"),
    limits: limitsOf(core),
    at: core.clock.now(),
  });
  return { ...workspace, base: commit, start: commit };
}

async function finish(core: Core, made: Workspace): Promise<void> {
  const fingerprint = await core.git.fingerprint(made.repository, made.path);
  const diskBytes = await core.git.diskUse(made.path);
  const isWaiting = await core.store.transaction(async (unit) => {
    const found = await unit.getWorkspace(made.id);
    const agent = await unit.getAgent(made.agentId);
    if (!found || found.status !== "preparing" || !isTakenHere(core, agent)) return false;
    const ready = await unit.updateWorkspace(
      applyToWorkspace(found, "prepared", {
        base: made.base,
        start: made.start,
        fingerprint,
        diskBytes,
      }),
      found,
    );
    await unit.emit(workspaceEvent(core, ready));
    return agent?.process === "waiting";
  });
  if (!isWaiting) {
    core.log.debug(
      "An agent was cancelled or taken by another server before its worktree was ready.",
    );
  }
}

async function fail(
  core: Core,
  agent: Agent,
  error: string,
  attention: readonly Attention[],
): Promise<void> {
  await core.store.transaction(async (unit) => {
    const found = await unit.getWorkspace(agent.workspaceId ?? "");
    if (!isTakenHere(core, await unit.getAgent(agent.id))) return;
    if (found?.status === "preparing") {
      const failed = await unit.updateWorkspace(
        applyToWorkspace(found, "prepare_failed", {
          attention: [...found.attention, ...attention],
        }),
        found,
      );
      await unit.emit(workspaceEvent(core, failed));
    }
    await settleUnstarted(core, unit, agent.id, "start_failed", error);
  });
}
