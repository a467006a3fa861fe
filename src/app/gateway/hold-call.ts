import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { untilNotified } from "../notifications/notice-signal.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { saveExecution } from "../tasks/execution/execution-event.ts";
import { watchParked } from "../tasks/execution/watch-parked.ts";
import { approvalPending, parked } from "./call-refusals.ts";

const BEAT_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a caller can wait, and how it is kept alive meanwhile. */
export type Patience = {
  /** Aborted when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  beat(message: string): void;
};

export type Held = Patience & {
  readonly agentId: AgentId;
  /** When the call was received. */
  readonly since: number;
  /** True in an execution: the agent can end, and the next executor continues. */
  readonly canPark: boolean;
};

/**
 * Holds a call until its approval is decided; then the caller authorizes the call again. If no
 * decision comes in time it refuses; the approval stays open, and the same call finds it again.
 */
export async function holdCall(core: Core, approval: Approval, held: Held): Promise<void> {
  const news = await untilNews(core, approval, held, waitMs(core, approval, held));
  if (held.signal.aborted) throw approvalPending(approval);
  switch (news) {
    case "decided":
      return;
    case "notified":
      // A stop is refused when the call is authorized again; a message only ends the wait.
      if ((await core.store.listStopNotices(held.agentId)).length > 0) return;
      throw approvalPending(approval);
    case "quiet":
      if (!held.canPark || !isOld(core, approval)) throw approvalPending(approval);
      if (await park(core, approval, held.agentId)) throw parked(approval);
  }
}

function waitMs(core: Core, { createdAt }: Approval, held: Held): number {
  const now = core.clock.now();
  const patience = held.since + held.patienceMs - now;
  return held.canPark
    ? Math.min(patience, createdAt + core.settings.tasks.holdForMs - now)
    : patience;
}

function isOld(core: Core, { createdAt }: Approval): boolean {
  return core.clock.now() - createdAt >= core.settings.tasks.holdForMs;
}

type News = "decided" | "notified" | "quiet";

const DECIDED = ["approval:decided", "approval:expired", "approval:closed"] as const;

/** Subscribes before it reads, so that no event is missed in between. */
async function untilNews(core: Core, approval: Approval, held: Held, ms: number): Promise<News> {
  const { promise, resolve } = Promise.withResolvers<News>();
  const stop = core.events.on(DECIDED, ({ data }) => {
    if (data.approvalId === approval.id) resolve("decided");
  });
  const notified = untilNotified(core, held.agentId);
  void notified.promise.then(() => resolve("notified"));
  const quiet = () => resolve("quiet");
  const look = async () => {
    if ((await core.store.getApproval(approval.id))?.status !== "pending") resolve("decided");
  };
  const beats = setInterval(() => {
    held.beat(`waiting for a person: ${approval.title}`);
    look().catch((error: unknown) =>
      core.log.error("An approval could not be read.", { id: approval.id, error: String(error) }),
    );
  }, BEAT_MS);
  held.signal.addEventListener("abort", quiet, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    await look();
    timer = setTimeout(quiet, Math.max(0, Math.min(ms, LONGEST_TIMER_MS)));
    if (held.signal.aborted) quiet();
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(beats);
    held.signal.removeEventListener("abort", quiet);
    notified.stop();
    stop();
  }
}

/** Lets the agent end and wait for the next executor. False: the approval was decided just now. */
export async function park(core: Core, { id }: Approval, agentId: AgentId): Promise<boolean> {
  return core.store.transaction(async (unit) => {
    if ((await unit.getApproval(id))?.status !== "pending") return false;
    await parkExecution(core, unit, agentId);
    unit.afterCommit(() => watchParked(core, agentId));
    return true;
  });
}

/** The execution has no agent until the decision starts the next executor. */
export async function parkExecution(core: Core, unit: UnitOfWork, agentId: AgentId): Promise<void> {
  const agent = await unit.getAgent(agentId);
  const execution = await unit.getExecution(agent?.executionId ?? "");
  if (execution?.agentId !== agentId) return;
  await saveExecution(core, unit, { ...execution, agentId: null }, execution);
}
