import { waitForEvent } from "../../base/wait-for-event.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { onNotified } from "../notifications/notification-signal.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { saveExecution } from "../tasks/execution/execution-event.ts";
import { watchParked } from "../tasks/execution/watch-parked.ts";
import { approvalPending, parked } from "./call-refusals.ts";

const BEAT_MS = 10_000;

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
  const release = core.calls.hold();
  const news = await untilNews(core, approval, held, waitMs(core, approval, held)).finally(release);
  if (held.signal.aborted) throw approvalPending(approval);
  switch (news) {
    case "decided":
      return;
    case "notified":
      // A stop is refused when the call is authorized again; a message only ends the wait.
      if ((await core.store.listStopNotifications(held.agentId)).length > 0) return;
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

async function untilNews(core: Core, approval: Approval, held: Held, ms: number): Promise<News> {
  const look = async (): Promise<News | undefined> =>
    (await core.store.getApproval(approval.id))?.status === "pending" ? undefined : "decided";
  const subscribe = (found: (news: News) => void) => {
    const stop = core.events.on(DECIDED, ({ data }) => {
      if (data.approvalId === approval.id) found("decided");
    });
    const stopListening = onNotified(core, held.agentId, () => found("notified"));
    const beats = setInterval(() => {
      held.beat(`waiting for a person: ${approval.title}`);
      look()
        .then((news) => news && found(news))
        .catch((error: unknown) =>
          core.log.error("An approval could not be read.", {
            id: approval.id,
            error: String(error),
          }),
        );
    }, BEAT_MS);
    return () => {
      clearInterval(beats);
      stopListening();
      stop();
    };
  };
  const news = await waitForEvent({ subscribe, look, withinMs: ms, signal: held.signal });
  return news ?? "quiet";
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
