import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { WireAlert } from "../../../../src/contract/shapes/alerts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { CountBadge, SectionHead } from "../../ui/page-head.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { TEXTS } from "./texts.ts";
import { useMyAlerts } from "./use-my-alerts.ts";

const SHOWN = 8;

/** The newest alerts for this person; seeing the list makes them read. */
export function MyAlerts() {
  const text = useTexts(TEXTS);
  const { alerts, unread, markAllSeen } = useMyAlerts();
  const [wasUnread, setWasUnread] = useState(0);
  const see = useEffectEvent(() => {
    if (unread === 0 || document.visibilityState !== "visible") return;
    setWasUnread(unread);
    markAllSeen();
  });
  useEffect(() => {
    see();
    document.addEventListener("visibilitychange", see);
    return () => document.removeEventListener("visibilitychange", see);
  }, [unread]);
  if (alerts.length === 0) return null;
  return (
    <section>
      <SectionHead
        title={text.mine}
        badge={wasUnread > 0 && <CountBadge>{text.unread(wasUnread)}</CountBadge>}
      />
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {alerts.slice(0, SHOWN).map((alert) => (
          <Row key={alert.alertId} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function Row({ alert }: { readonly alert: WireAlert }) {
  const text = useTexts(TEXTS);
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0 hover:bg-raised/60">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={statusOf(alert)} label={text.kind[alert.kind]} />
          <Ago at={alert.endedAt ?? alert.createdAt} className="text-xs text-text-3" />
        </div>
        <Link
          to={pathOf(alert)}
          className="block truncate font-semibold outline-none after:absolute after:inset-0 focus-visible:underline"
        >
          {visibleName(alert.title)}
        </Link>
        {alert.detail && <p className="truncate text-xs text-text-2">{visible(alert.detail)}</p>}
      </div>
      <ChevronRight size={16} aria-hidden className="shrink-0 text-text-3" />
    </li>
  );
}

/** The second part of a kind is a status: `task.failed`. */
function statusOf({ kind }: WireAlert): string {
  const status = kind.split(".")[1] ?? "";
  return status === "waiting" ? "pending" : status;
}

function pathOf({ approvalId, taskId, agentId, groupId }: WireAlert): string {
  if (approvalId !== null) return `/approvals/${encodeURIComponent(approvalId)}`;
  if (taskId !== null) return `/tasks/${encodeURIComponent(taskId)}`;
  if (agentId !== null) return `/agents/${encodeURIComponent(agentId)}`;
  return groupId === null ? "/" : `/groups/${encodeURIComponent(groupId)}`;
}
