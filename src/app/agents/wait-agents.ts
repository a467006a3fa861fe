import { hasResult, isSettled, type Agent } from "../../domain/agents/agent.ts";
import { durationOf } from "../../domain/agents/result.ts";
import type { AgentId, GroupId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import { untilNotified } from "../notifications/notice-signal.ts";
import { agentNotFound } from "./require-agent.ts";
import { openWaitCursor, sealWaitCursor, type WaitCursor } from "./wait-cursor.ts";

const BEAT_MS = 10_000;

const DONE = {
  result: { isDone: hasResult, events: ["agent:result_reported", "agent:completed"] },
  settled: { isDone: isSettled, events: ["agent:completed"] },
} as const;

type DoneEvent = (typeof DONE)[keyof typeof DONE]["events"][number];

export type WaitAgents = {
  readonly agentIds: readonly string[];
  readonly mode: "all" | "any";
  /** `result`: the agent has reported or is settled. `settled`: its process is gone. */
  readonly until: keyof typeof DONE;
  readonly timeoutMs: number | null;
  readonly cursor: string | null;
  /** The longest this one call may block, below the time-out of the client. */
  readonly maxBlockMs: number;
  /** Only agents of these groups exist for the caller; left out: all do. */
  readonly groups?: ReadonlySet<GroupId>;
  /** The agent that waits: a notice for it ends the wait, so that it is delivered now. */
  readonly waiter?: AgentId;
};

export type WaitAnswer = {
  /** Those that no earlier chunk has listed. */
  readonly completed: readonly { agent: Agent; durationMs: number }[];
  readonly pending: readonly string[];
  /** Only ever the caller's own timeout. */
  readonly timedOut: boolean;
  /** null: there is nothing more to wait for. */
  readonly cursor: string | null;
};

export type WaitHooks = {
  readonly signal: AbortSignal;
  /** Called every ten seconds while the wait goes on. */
  readonly beat: (done: number, total: number, waitingFor: string) => void;
};

/** Waits for agents in chunks; a dropped call drops the wait, never the agents. */
export async function waitAgents(
  core: Core,
  input: WaitAgents,
  hooks: WaitHooks,
): Promise<WaitAnswer> {
  const ids = [...new Set(input.agentIds)];
  if (ids.length === 0) {
    throw new Refusal("EMPTY_AGENT_IDS", "agentIds is empty.", "Name at least one agentId.");
  }
  const now = core.clock.now();
  const cursor =
    input.cursor === null ? startCursor(input, now) : openWaitCursor(input.cursor, ids);
  const pending = new Set(ids);
  const hasNews = () => ids.some((id) => !pending.has(id) && !cursor.seen.has(id));
  const isOver = () => pending.size === 0 || (input.mode === "any" && hasNews());

  const { isDone, events } = DONE[input.until];
  const changed = listen(core, pending, events);
  const notified = input.waiter === undefined ? undefined : untilNotified(core, input.waiter);
  try {
    await dropDone(core, ids, pending, isDone, input.groups);
    const blockUntil = Math.min(now + input.maxBlockMs, cursor.deadline ?? Infinity);
    const beats = setInterval(() => {
      const [first = ""] = pending;
      hooks.beat(ids.length - pending.size, ids.length, first);
    }, BEAT_MS);
    try {
      const ends = AbortSignal.any([hooks.signal, signalOf(notified?.promise)]);
      await changed.until(isOver, blockUntil - now, ends);
    } finally {
      clearInterval(beats);
    }
    if (hooks.signal.aborted)
      core.log.debug("A wait was dropped by its client.", { agents: ids.length });
    return await answer(core, ids, cursor, isDone, isOver());
  } finally {
    changed.stop();
    notified?.stop();
  }
}

function signalOf(promise: Promise<void> | undefined): AbortSignal {
  const controller = new AbortController();
  void promise?.then(() => controller.abort());
  return controller.signal;
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
) {
  const found = await core.store.getAgents(ids);
  const agents = groups ? found.filter(({ groupId }) => groups.has(groupId)) : found;
  const known = new Set<string>(agents.map((agent) => agent.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw agentNotFound(...unknown);
  for (const agent of agents) if (isDone(agent)) pending.delete(agent.id);
}

/** Subscribes before the first look, so nothing that is done in between is missed. */
function listen(core: Core, pending: Set<string>, types: readonly DoneEvent[]) {
  let wake: (() => void) | undefined;
  const stop = core.events.on(types, ({ agentId }) => {
    if (pending.delete(agentId)) wake?.();
  });
  const until = (isOver: () => boolean, waitMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, Math.max(0, Math.min(waitMs, 2 ** 31 - 1)));
      signal.addEventListener("abort", done, { once: true });
      wake = () => {
        if (isOver()) done();
      };
      if (signal.aborted) done();
      wake();
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
    });
  return { stop, until };
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
