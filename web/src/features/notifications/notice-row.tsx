import { Link } from "@tanstack/react-router";
import { Check, Circle, MessageSquare, OctagonPause, Route } from "lucide-react";
import type { ReactNode } from "react";
import type { WireNotification } from "../../../../src/contract/shapes/notifications.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { LongText } from "../../ui/long-text.tsx";
import { Ago } from "../../ui/times.tsx";
import { usePersonName } from "../people/use-person-name.ts";
import { TEXTS } from "./texts.ts";

const icon = { size: 14, "aria-hidden": true } as const;
const ICONS: Record<WireNotification["type"], ReactNode> = {
  message: <MessageSquare {...icon} className="text-violet" />,
  blocked: <OctagonPause {...icon} className="text-blocked" />,
  cancelled: <OctagonPause {...icon} className="text-cancelled" />,
  replan: <Route {...icon} className="text-running" />,
};

export function NoticeRow({ notice }: { readonly notice: WireNotification }) {
  const text = useTexts(TEXTS);
  const nameOf = usePersonName();
  return (
    <div role="listitem" className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <span className="inline-flex items-center gap-1.5 font-semibold text-text">
          {ICONS[notice.type]}
          {text.types[notice.type]}
        </span>
        <span className="text-text-2">
          {text.to}{" "}
          <Link
            to="/agents/$agentId"
            params={{ agentId: notice.agentId }}
            className="font-mono break-all text-violet hover:underline"
          >
            {notice.agentId}
          </Link>
        </span>
        {notice.taskId && (
          <Link
            to="/tasks/$taskId"
            params={{ taskId: notice.taskId }}
            className="text-violet hover:underline"
          >
            {text.task}
          </Link>
        )}
        <span className="text-text-3">
          {text.from} {nameOf(notice.from)}
        </span>
        <Ago at={notice.createdAt} className="ml-auto text-text-3" />
      </div>
      <LongText text={notice.text} lines={4} />
      <Delivery notice={notice} />
    </div>
  );
}

/** Delivery of a notification: 作成 → 送達 → 既読 → 停止. */
function Delivery({ notice }: { readonly notice: WireNotification }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const isCleared = notice.status === "cleared";
  const steps = [
    { name: text.steps.created, isDone: true, at: notice.createdAt },
    {
      name: text.steps.announced,
      isDone: notice.announcedAt !== null || notice.readAt !== null,
      at: notice.announcedAt,
    },
    { name: text.steps.read, isDone: notice.readAt !== null, at: notice.readAt },
    { name: text.steps.cleared, isDone: isCleared, at: null },
  ];
  return (
    <ol className="flex flex-wrap items-center gap-x-1 gap-y-1 text-xs">
      {steps.map(({ name, isDone, at }, index) => (
        <li key={name} className="flex items-center gap-1">
          {index > 0 && (
            <span aria-hidden className={cx("mx-1 h-px w-5", isDone ? "bg-success" : "bg-line")} />
          )}
          <span
            className={cx(
              "inline-flex items-center gap-1",
              isDone ? "text-success" : "text-text-3",
            )}
          >
            {isDone ? <Check size={12} aria-hidden /> : <Circle size={10} aria-hidden />}
            {name}
          </span>
          {at && (
            <time dateTime={at} className="font-mono text-[11px] text-text-3">
              {format.time(at)}
            </time>
          )}
        </li>
      ))}
    </ol>
  );
}
