import { waitForEvent } from "../../base/wait-for-event.ts";
import { hasResult, isSettled, type Agent } from "../../domain/agents/agent.ts";
import { durationOf } from "../../domain/agents/result.ts";
import type { AgentId, GroupId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import { onNotified } from "../notifications/notification-signal.ts";
import { agentNotFound } from "./require-agent.ts";
import { openWaitCursor, sealWaitCursor, type WaitCursor } from "./wait-cursor.ts";

const BEAT_MS = 10_000;

const DONE = {
  result: { isDone: hasResult, events: ["agent:result_reported", "agent:completed"] },
  settled: { isDone: isSettled, events: ["agent:completed"] },
} as const;

export type WaitAgents = {
  readonly agentIds: readonly string[];
  readonly mode: "all" | "any";
  /** `result`: the agent has reported or is settled. `settled`: its process is gone. */
  readonly until: keyof typeof DONE;
  readonly timeoutMs: number | null;
  readonly cursor: string | null;
  /** The longest this one call may block, below the time-out of the client. */
  readonly maxBlockMs: number;
  /** The caller sees only agents of these groups. Omitted: it sees all agents. */
  readonly groups?: ReadonlySet<GroupId>;
  /** The agent that waits: a notification for it ends the wait, so that it is announced at once. */
  readonly waiter?: AgentId;
};

export type WaitAnswer = {
  /** Agents that no earlier chunk has listed. */
  readonly completed: readonly { agent: Agent; durationMs: number }[];
  readonly pending: readonly string[];
  /** True only when the caller's own timeout has expired, not the limit of one chunk. */
  readonly timedOut: boolean;
  /** null: there is nothing more to wait for. */
  readonly cursor: string | null;
};

export type WaitHooks = {
  readonly signal: AbortSignal;
  /** Called every ten seconds while the wait goes on. */
  readonly beat: (done: number, total: number, waitingFor: string) => void;
};

/** Waits for agents in chunks. A client that disconnects ends the wait, not the agents. */
export async function waitAgents(
  core: Core,
  input: WaitAgents,
  hooks: WaitHooks,
): Promise<WaitAnswer> {
  const ids = [...new Set(input.agentIds)];
  if (ids.length === 0) {
    throw new Refusal("EMPTY_AGENT_IDS", {
      en: ["agentIds is empty.", "Name at least one agentId."],
      ja: ["agentIds が空です。", "agentId を 1 つ以上指定してください。"],
    });
  }
  const now = core.clock.now();
  const cursor =
    input.cursor === null ? startCursor(input, now) : openWaitCursor(input.cursor, ids);
  const pending = new Set(ids);
  const isolated = new Set<string>();
  const hasNews = () => ids.some((id) => !pending.has(id) && !cursor.seen.has(id));
  const isOver = () => pending.size === 0 || (input.mode === "any" && hasNews());

  const { isDone, events } = DONE[input.until];
  const subscribe = (found: (isFound: true) => void) => {
    const stop = core.events.on(events, ({ type, agentId }) => {
      // An isolated agent has its result at its end, with its change.
      if (type === "agent:result_reported" && isolated.has(agentId)) return;
      if (pending.delete(agentId) && isOver()) found(true);
    });
    const stopListening = input.waiter && onNotified(core, input.waiter, () => found(true));
    const beats = setInterval(() => {
      const [first = ""] = pending;
      hooks.beat(ids.length - pending.size, ids.length, first);
    }, BEAT_MS);
    return () => {
      clearInterval(beats);
      if (stopListening) stopListening();
      stop();
    };
  };
  const look = async () => {
    const agents = await dropDone(core, ids, pending, isDone, input.groups);
    for (const { id, workspaceId } of agents) if (workspaceId !== null) isolated.add(id);
    return isOver() || undefined;
  };
  const withinMs = Math.min(input.maxBlockMs, (cursor.deadline ?? Infinity) - now);
  await waitForEvent<true>({ subscribe, look, withinMs, signal: hooks.signal });
  if (hooks.signal.aborted)
    core.log.debug("A client ended its wait for agents.", { agents: ids.length });
  return answer(core, ids, cursor, isDone, isOver());
}

function startCursor(input: WaitAgents, now: number): WaitCursor {
  return { deadline: input.timeoutMs === null ? null : now + input.timeoutMs, seen: new Set() };
}

async function dropDone(
  core: Core,
  ids: readonly string[],
  pending: Set<string>,
  isDone: (agent: Agent) => boolean,
  groups: ReadonlySet<GroupId> | undefined,
): Promise<readonly Agent[]> {
  const found = await core.store.getAgents(ids);
  const agents = groups ? found.filter(({ groupId }) => groups.has(groupId)) : found;
  const known = new Set<string>(agents.map((agent) => agent.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw agentNotFound(...unknown);
  for (const agent of agents) if (isDone(agent)) pending.delete(agent.id);
  return agents;
}

async function answer(
  core: Core,
  ids: readonly string[],
  cursor: WaitCursor,
  isDone: (agent: Agent) => boolean,
  isOver: boolean,
): Promise<WaitAnswer> {
  const now = core.clock.now();
  const agents = await core.store.getAgents(ids);
  const done = agents.filter(isDone);
  const completed = done.filter((agent) => !cursor.seen.has(agent.id));
  const pending = agents.filter((agent) => !isDone(agent)).map((agent) => agent.id);
  const timedOut = !isOver && cursor.deadline !== null && now >= cursor.deadline;
  return {
    completed: completed.map((agent) => ({
      agent,
      // The time that a process takes to exit after its report is not the agent's work.
      durationMs: durationOf(agent, agent.reportedAt ?? now),
    })),
    pending,
    timedOut,
    cursor:
      pending.length === 0 || timedOut
        ? null
        : sealWaitCursor(
            { deadline: cursor.deadline, seen: new Set(done.map(({ id }) => id)) },
            ids,
          ),
  };
}
