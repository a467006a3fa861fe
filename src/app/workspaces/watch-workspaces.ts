import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { Attention } from "../../domain/workspaces/attention.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { damageNote } from "../../domain/workspaces/worktree-damage.ts";
import { writtenOutside } from "../../domain/workspaces/written-outside.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";
import { refreshOverlaps } from "./refresh-overlaps.ts";
import { workspaceEvent } from "./workspace-event.ts";

/** A person learns of a file outside, or a deleted directory, within 5 seconds. */
const GUARD_MS = 2_000;
const SHORTEST_PAUSE_MS = 4_000;
/** Comparing takes at most this part of the time, however large the repositories are. */
const COST_FACTOR = 20;

/**
 * Looks at the worktrees of agents at work: whether they write outside and whether the directory is
 * still there, at a fixed pace; and which files they share, as often as the repositories allow. A
 * change of a workspace is looked at soon after its event.
 */
export function watchWorkspaces(core: Core): { readonly close: () => Promise<void> } {
  const due = new Set<string>();
  let guardTimer: NodeJS.Timeout | undefined;
  let compareTimer: NodeJS.Timeout | undefined;
  let isComparing = false;
  let isClosed = false;

  const guard = runCoalesced(async () => {
    if (isClosed) return;
    const { live, isMoreExpected } = await lookAtLive(core).catch(logged(core, NOTHING));
    for (const { repository } of live) due.add(repository);
    clearTimeout(guardTimer);
    if (live.length > 0 || isMoreExpected) {
      guardTimer = setTimeout(() => void guard(), GUARD_MS).unref();
    }
    if (!isComparing && compareTimer === undefined) compareAfter(0);
  });

  const compare = runCoalesced(async () => {
    if (isClosed) return;
    const began = performance.now();
    isComparing = true;
    clearTimeout(compareTimer);
    for (const repository of due) {
      due.delete(repository);
      await refreshOverlaps(core, repository).catch(logged(core, undefined));
    }
    isComparing = false;
    compareAfter(Math.max(SHORTEST_PAUSE_MS, COST_FACTOR * (performance.now() - began)));
  });

  function compareAfter(pauseMs: number): void {
    compareTimer = setTimeout(() => {
      compareTimer = undefined;
      if (due.size > 0) void compare();
    }, pauseMs).unref();
  }

  async function lookAt(workspaceId: string): Promise<void> {
    const workspace = await core.store.getWorkspace(workspaceId);
    if (!workspace) return;
    // A decided change overlaps with nothing any more.
    if (workspace.outcome !== "open") {
      await core.store.transaction((unit) => unit.putOverlaps(workspace.id, []));
    }
    due.add(workspace.repository);
    await guard();
    await compare();
  }
  const stop = core.events.on(["workspace:updated"], ({ data: { workspaceId } }) => {
    void lookAt(workspaceId).catch(logged(core, undefined));
  });
  void guard();
  return {
    async close() {
      isClosed = true;
      stop();
      await guard();
      await compare();
      for (const timer of [guardTimer, compareTimer]) clearTimeout(timer);
    },
  };
}

function logged<T>(core: Core, instead: T): (error: unknown) => T {
  return (error) => {
    core.log.warn("The worktrees of agents could not be looked at; trying again later.", {
      error: String(error),
    });
    return instead;
  };
}

type Looked = {
  /** The workspaces whose agent is at work. */
  readonly live: readonly Workspace[];
  /** A process starts in a prepared worktree soon, or again; no event of a workspace says when. */
  readonly isMoreExpected: boolean;
};
const NOTHING: Looked = { live: [], isMoreExpected: true };

async function lookAtLive(core: Core): Promise<Looked> {
  const live: Workspace[] = [];
  let isMoreExpected = false;
  for (const workspace of await core.store.listPresentWorkspaces()) {
    if (workspace.status !== "ready") continue;
    const agent = await core.store.getAgent(workspace.agentId);
    // A worktree of another server may be on another disk.
    if (agent && !isHere(core, agent)) continue;
    if (agent?.process === "waiting" || agent?.process === "starting") isMoreExpected = true;
    if (agent?.process !== "alive") continue;
    live.push(workspace);
    if (!(await core.directories.exists(workspace.path))) {
      // Its commands would fail, or reach a directory that is not its own.
      const { en: reason, ja: reasonJa } = damageNote("directory_gone", workspace);
      await note(core, workspace, { type: "damaged", reason, reasonJa });
      await stopAgent(core, agent.id, "cancelled");
      continue;
    }
    await noteOutside(core, workspace);
  }
  return { live, isMoreExpected };
}

/** A waiting agent belongs to no server yet. */
function isHere({ serverId }: Core, { workerId }: Agent): boolean {
  return serverId === null || workerId === null || workerId === serverId;
}

async function noteOutside(core: Core, workspace: Workspace): Promise<void> {
  const progress = await core.store.getProgress(workspace.agentId);
  const files = [...progress.editedFiles, ...progress.createdFiles, ...progress.deletedFiles];
  for (const path of writtenOutside(files, workspace.path, workspace.source)) {
    await note(core, workspace, { type: "wrote_outside", path });
  }
}

/** Each problem is noted once. */
async function note(core: Core, { id }: Workspace, attention: Attention): Promise<void> {
  await core.store.transaction(async (unit) => {
    const workspace = await unit.getWorkspace(id);
    const isKnown = workspace?.attention.some((each) => isEqual(each, attention));
    if (!workspace || isKnown) return;
    const noted = await unit.updateWorkspace(
      { ...workspace, attention: [...workspace.attention, attention] },
      workspace,
    );
    await unit.emit(workspaceEvent(core, noted));
    core.log.warn("An agent at work needs attention.", {
      agentId: workspace.agentId,
      ...attention,
    });
  });
}

function isEqual(a: Attention, b: Attention): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
