import { PeerError } from "../../base/peer.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { captureChange } from "./capture-change.ts";
import { isOnHost } from "./place-of-worktree.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";

/** Git and setup commands are mostly disk work: more at once would only slow each other down. */
const MAX_AT_ONCE = 4;
/** After an error that is a bug or a broken store. */
const RETRY_MS = 2_000;

export type Provisioning = {
  /** Splits agents that are due: those that can start now, and how many worktrees are being made. */
  prepare(
    agents: readonly Agent[],
  ): Promise<{ readonly prepared: readonly Agent[]; readonly preparing: number }>;
  /** Agents whose worktree is being prepared now. */
  agentIds(): readonly AgentId[];
  /** Captures the change of an agent whose process is gone, and settles the agent. */
  captureSoon(agentId: AgentId): void;
  /** Resolves when nothing is being captured. */
  captured(): Promise<void>;
  /** Resolves when nothing is being prepared or captured. */
  idle(): Promise<void>;
  /** Ends setup commands; what was begun is finished by the next daemon. */
  close(): Promise<void>;
};

export function createProvisioning(core: () => Core): Provisioning {
  const preparing = new Map<AgentId, Promise<void>>();
  const capturing = new Map<AgentId, Promise<void>>();
  const aborting = new AbortController();
  const limit = createLimit(MAX_AT_ONCE);
  // Not behind setup commands, which may take many minutes: the agent's result waits for it.
  const limitCaptures = createLimit(MAX_AT_ONCE);

  async function later(work: () => void): Promise<void> {
    if (aborting.signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    if (!aborting.signal.aborted) work();
  }

  /** A worker that disconnects is no error: the next connection goes on. */
  function report(message: string, agentId: AgentId, error: unknown): void {
    const isGone = error instanceof PeerError && error.code === "DISCONNECTED";
    core().log[isGone ? "debug" : "error"](message, { agentId, error: String(error) });
  }

  function start({ id }: Agent): void {
    preparing.set(id, makeWorktree(id));
  }

  async function makeWorktree(agentId: AgentId): Promise<void> {
    const isMade = await limit(() => prepareWorkspace(core(), agentId, aborting.signal)).then(
      () => true,
      (error: unknown) => {
        report("A worktree could not be prepared; trying again.", agentId, error);
        return false;
      },
    );
    // First, because the dispatcher leaves out agents that are being prepared.
    preparing.delete(agentId);
    if (!isMade) void later(() => core().dispatchSoon());
    else if (!aborting.signal.aborted) core().dispatchSoon();
  }

  function captureSoon(agentId: AgentId): void {
    if (capturing.has(agentId) || aborting.signal.aborted) return;
    const work = limitCaptures(() => captureChange(core(), agentId, aborting.signal))
      .catch((error: unknown) => {
        report("The change of an agent could not be captured; trying again.", agentId, error);
        void later(() => captureSoon(agentId));
      })
      .finally(() => capturing.delete(agentId));
    capturing.set(agentId, work);
  }

  return {
    async prepare(agents) {
      const isolated = agents.filter(({ workspaceId }) => workspaceId !== null);
      if (isolated.length === 0) return { prepared: agents, preparing: 0 };
      const rows = await core().store.getWorkspaces(
        isolated.flatMap(({ workspaceId }) => workspaceId ?? []),
      );
      const ready = new Set(
        rows.filter((row) => row.status === "ready" && isOnHost(core(), row)).map(({ id }) => id),
      );
      const isReady = ({ workspaceId }: Agent) => workspaceId === null || ready.has(workspaceId);
      const others = agents.filter((agent) => !isReady(agent));
      if (!aborting.signal.aborted) {
        for (const agent of others) if (!preparing.has(agent.id)) start(agent);
      }
      return { prepared: agents.filter(isReady), preparing: others.length };
    },
    agentIds: () => [...preparing.keys()],
    captureSoon,
    async captured() {
      while (capturing.size > 0) await Promise.all(capturing.values());
    },
    async idle() {
      while (preparing.size + capturing.size > 0) {
        await Promise.all([...preparing.values(), ...capturing.values()]);
      }
    },
    async close() {
      aborting.abort();
      await Promise.all([...preparing.values(), ...capturing.values()]);
    },
  };
}

/** At most `max` works at the same time; the others wait in order. */
function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The slot goes to the next one directly, so that the limit holds.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
