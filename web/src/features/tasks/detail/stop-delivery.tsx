import { Link } from "@tanstack/react-router";
import { Check, CircleCheck, LoaderCircle } from "lucide-react";
import type { TaskDetail, WireNotification } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Card } from "../../../ui/card.tsx";
import { cx } from "../../../ui/cx.ts";
import { stopEnd } from "./stop-end.ts";
import { STOP } from "./stop-texts.ts";

/** Delivery of the stop notification to each agent: 作成 → 送達 → 既読 → 停止. */
export function StopDelivery({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(STOP);
  const notices = stopNotifications(task);
  const isCancel = task.status === "cancelled";
  const isOpen = notices.some(({ status }) => status !== "cleared");
  return (
    <Card bar={isOpen ? "blocked" : "cancelled"} className="p-4">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-bold">{isCancel ? text.deliveryCancel : text.deliveryTitle}</h2>
        <p
          role="status"
          className={cx(
            "flex items-center gap-1.5 font-semibold",
            isOpen ? "text-blocked" : "text-success",
          )}
        >
          {isOpen ? (
            <LoaderCircle size={14} aria-hidden className="animate-spin" />
          ) : (
            <CircleCheck size={14} aria-hidden />
          )}
          {isOpen ? text.deliveryGoing : text.deliveryOver}
        </p>
      </div>
      {notices.length === 0 ? (
        <p className="text-text-3">{text.deliveryNone}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {notices.map((notice) => (
            <li key={notice.notificationId}>
              <Delivery notice={notice} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && <p className="mt-3 text-xs text-text-3">{text.deliveryWaiting}</p>}
    </Card>
  );
}

/** Notifications of the current stop; earlier ones belong to earlier attempts. */
function stopNotifications(task: TaskDetail): readonly WireNotification[] {
  const since = task.executions.at(-1)?.createdAt ?? task.createdAt;
  const byAgent = new Map<string, WireNotification>();
  for (const notice of task.notifications) {
    if (notice.type !== "blocked" && notice.type !== "cancelled") continue;
    if (notice.createdAt < since) continue;
    const known = byAgent.get(notice.agentId);
    if (!known || known.createdAt <= notice.createdAt) byAgent.set(notice.agentId, notice);
  }
  return [...byAgent.values()];
}

function Delivery({ notice }: { readonly notice: WireNotification }) {
  const text = useTexts(STOP);
  const format = useFormat();
  const { agentId, status, createdAt, announcedAt, readAt, clearReason } = notice;
  const isCleared = status === "cleared";
  const hasEndedSilently = isCleared && clearReason === "ended";
  const steps = [
    { id: "created", at: createdAt, isDone: true },
    { id: "announced", at: announcedAt, isDone: announcedAt !== null || readAt !== null },
    { id: "read", at: readAt, isDone: readAt !== null },
    { id: hasEndedSilently ? "ended" : "reported", at: null, isDone: isCleared },
  ] as const;
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <>
      <Link
        to="/agents/$agentId"
        params={{ agentId }}
        className="font-mono text-xs text-violet hover:underline"
      >
        {agentId}
      </Link>
      <ol className="mt-1.5 grid grid-cols-4 gap-1">
        {steps.map(({ id, at, isDone }, index) => (
          <li key={id} className="min-w-0">
            <span
              aria-hidden
              className={cx("mb-1 block h-1 rounded-full", isDone ? "bg-blocked" : "bg-line")}
            />
            <span
              className={cx(
                "flex items-center gap-1 text-[11px] leading-tight",
                isDone ? "text-text" : "text-text-3",
              )}
            >
              {isDone ? (
                <Check size={11} aria-hidden className="shrink-0 text-blocked" />
              ) : (
                index === next &&
                !isCleared && (
                  <LoaderCircle size={11} aria-hidden className="shrink-0 animate-spin" />
                )
              )}
              {text.delivery[id]}
            </span>
            {at !== null && (
              <span className="block font-mono text-[11px] text-text-3">{format.time(at)}</span>
            )}
          </li>
        ))}
      </ol>
      {isCleared && (
        <p className="mt-1 text-xs text-text-2">
          {text.stopEnd[stopEnd(clearReason, readAt !== null)]}
        </p>
      )}
    </>
  );
}
