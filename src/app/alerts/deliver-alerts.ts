import {
  type Alert,
  applyToAlert,
  MAX_TRIES,
  needsPerson,
  waitAfter,
} from "../../domain/alerts/alert.ts";
import type { AlertMessageId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { SendResult } from "../ports/alert-target.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { sendMessage, toSentAlert } from "./alert-message.ts";

const MAX_ALERTS_PER_MESSAGE = 50;

type Claimed = { readonly id: AlertMessageId; readonly alerts: readonly Alert[] };

/**
 * Sends the messages of one target that are due, one after the other. The try is counted before the
 * message is sent: if the daemon is killed in between, the same message is sent again later, with
 * the same id, and a message that kills the daemon is given up in the end.
 */
export async function deliverTo(core: Core, target: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && core.isLeader()) {
    const claimed = await core.store.transaction((unit) => claim(core, unit, target));
    if (claimed === undefined) return;
    // Paused since the claim: another server leads, and tries this message again when it is due.
    if (!core.isLeader()) return;
    const result = await send(core, target, claimed, signal);
    // A try that the shutdown has cut off says nothing about the target.
    if (signal.aborted && !result.isSent) return;
    await core.store.transaction((unit) => settle(core, unit, target, claimed, result));
  }
}

async function send(
  core: Core,
  target: string,
  { id, alerts }: Claimed,
  signal: AbortSignal,
): Promise<SendResult> {
  if (alerts.some(({ tries }) => tries > MAX_TRIES)) {
    return { isSent: false, isFinal: true, reason: "The daemon was killed during the last try." };
  }
  const message = {
    id,
    alerts: alerts.map((alert) => toSentAlert(core, alert)),
    locale: core.settings.alerts.locale,
    at: core.clock.now(),
    isTest: false,
  };
  return sendMessage(core, target, message, signal);
}

/** Takes the next message: one that failed before, or all new alerts that are due together. */
async function claim(core: Core, unit: UnitOfWork, target: string): Promise<Claimed | undefined> {
  const now = core.clock.now();
  const due = await dropOutdated(unit, await unit.listDueAlerts(now, PAGE, target), now);
  const [first] = due;
  if (!first) return undefined;
  const id = first.messageId ?? (`msg-${core.random.ulid(now)}` as const);
  const together = due.filter(({ messageId }) => messageId === first.messageId);
  const alerts: Alert[] = [];
  for (const alert of together.slice(0, MAX_ALERTS_PER_MESSAGE)) {
    const tries = alert.tries + 1;
    const changes = { messageId: id, tries, dueAt: now + waitAfter(tries) };
    alerts.push(await unit.updateAlert(applyToAlert(alert, "tried", changes), alert));
  }
  return { id, alerts };
}

/** Alerts of one message always fit, also beside others that are due. */
const PAGE = 10 * MAX_ALERTS_PER_MESSAGE;

/** Drops what no longer waits for a person, unless it was tried: then its message must not change. */
async function dropOutdated(
  unit: UnitOfWork,
  due: readonly Alert[],
  now: number,
): Promise<readonly Alert[]> {
  const kept: Alert[] = [];
  for (const alert of due) {
    if (alert.messageId === null && (await isOutdated(unit, alert))) {
      await unit.updateAlert(applyToAlert(alert, "outdated", { endedAt: now }), alert);
    } else {
      kept.push(alert);
    }
  }
  return kept;
}

async function isOutdated(unit: UnitOfWork, { kind, approvalId }: Alert): Promise<boolean> {
  if (!needsPerson(kind) || approvalId === null) return false;
  return (await unit.getApproval(approvalId))?.status !== "pending";
}

async function settle(
  core: Core,
  unit: UnitOfWork,
  target: string,
  { id, alerts }: Claimed,
  result: SendResult,
): Promise<void> {
  const now = core.clock.now();
  const tries = Math.max(...alerts.map((alert) => alert.tries));
  if (result.isSent) {
    for (const alert of alerts) {
      const changes = { endedAt: now, error: null };
      await unit.updateAlert(applyToAlert(alert, "delivered", changes), alert);
    }
    unit.emitTransient(changed(target, "sent", null, now));
    return;
  }
  const isOver = result.isFinal === true || tries >= MAX_TRIES;
  const error = result.reason;
  for (const alert of alerts) {
    const next = isOver
      ? applyToAlert(alert, "gave_up", { error, endedAt: now })
      : applyToAlert(alert, "tried", {
          error,
          dueAt: now + waitAfter(alert.tries, result.retryAfterMs),
        });
    await unit.updateAlert(next, alert);
  }
  unit.emitTransient(changed(target, isOver ? "failed" : "pending", error, now));
  const fields = { target, messageId: id, alerts: alerts.length, tries, error };
  unit.afterCommit(() => {
    if (isOver) core.log.error("An alert could not be delivered and was given up.", fields);
    else core.log.warn("An alert could not be delivered; trying again later.", fields);
  });
}

function changed(
  target: string,
  status: "sent" | "failed" | "pending",
  error: string | null,
  at: number,
) {
  const data = { target, status, error };
  return { type: "alert:delivery", groupId: null, agentId: null, data, at } as const;
}
