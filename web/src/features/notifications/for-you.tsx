import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useRoleName } from "../../api/role-names.ts";
import { useGateway } from "../../api/system.ts";
import { COMMON } from "../../i18n/common.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { WindowList } from "../../ui/virtual-list.tsx";
import { useApprovalTitle } from "../approvals/approval-title.ts";
import { TEXTS as SCHEDULES } from "../schedules/texts.ts";
import { useSelfPaused } from "../schedules/use-schedules.ts";
import { type Failure, useAttentionItems } from "./attention/use-attention-items.ts";
import { TEXTS } from "./texts.ts";

type Item = {
  readonly id: string;
  readonly to: string;
  readonly status: string;
  readonly label: string;
  readonly title: string;
  readonly note: string;
  readonly at: string | null;
};

/** Items shown at first, so that the content below stays reachable. */
const FIRST = 8;

export function useForYou(): readonly Item[] {
  const text = useTexts(TEXTS);
  const { approvalKind } = useTexts(COMMON);
  const { approvals, failures } = useAttentionItems();
  const tasks = useLive((state) => state.tasks);
  const roles = useLive((state) => state.roles);
  const gateway = useGateway();
  const paused = usePausedItems();
  const inWords = useReason();
  const nameOfRole = useRoleName();
  const titleOf = useApprovalTitle();
  return useMemo(
    () => [
      ...approvals.map((approval) => ({
        id: approval.approvalId,
        to: `/approvals/${encodeURIComponent(approval.approvalId)}`,
        status: "pending",
        label: approvalKind[approval.kind],
        title: titleOf(approval),
        note: "",
        at: approval.createdAt,
      })),
      ...failures.flatMap((failure) =>
        failure.kind === "task" ? failedTask(failure, text, inWords) : [],
      ),
      ...[...tasks.values()]
        .filter(({ status }) => status === "blocked")
        .map((task) => blockedTask(task, text)),
      ...paused,
      ...(gateway.data?.servers ?? []).flatMap((server) =>
        server.tools
          .filter(({ isQuarantined }) => isQuarantined)
          .map((tool) => ({
            id: `${server.name}/${tool.name}`,
            to: "/system",
            status: "timeout",
            label: text.quarantined,
            title: text.quarantinedTitle(visibleName(`${server.name}/${tool.name}`)),
            note: "",
            at: null,
          })),
      ),
      ...roles
        .filter(({ available }) => !available)
        .map((role) => ({
          id: `role ${role.id}`,
          to: `/roles/${encodeURIComponent(role.id)}`,
          status: "failed",
          label: text.role,
          title: nameOfRole(role),
          note: inWords(role.reason ?? ""),
          at: null,
        })),
      ...failures.flatMap((failure) =>
        failure.kind === "agent" ? failedAgent(failure, text) : [],
      ),
    ],
    [
      approvals,
      failures,
      tasks,
      roles,
      gateway.data,
      paused,
      text,
      approvalKind,
      inWords,
      nameOfRole,
      titleOf,
    ],
  );
}

function usePausedItems(): readonly Item[] {
  const text = useTexts(TEXTS);
  const { pausedItself } = useTexts(SCHEDULES);
  const paused = useSelfPaused();
  return useMemo(
    () =>
      paused.map(({ scheduleId, name, pausedReason, updatedAt }) => ({
        id: scheduleId,
        to: `/schedules/${encodeURIComponent(scheduleId)}`,
        status: "timeout",
        label: text.pausedSchedule,
        title: visible(name),
        note: pausedReason === null ? "" : pausedItself[pausedReason],
        at: updatedAt,
      })),
    [paused, text, pausedItself],
  );
}

type Words = (typeof TEXTS)["ja"];

function blockedTask(task: WireTask, text: Words): Item {
  return {
    id: task.taskId,
    to: `/tasks/${encodeURIComponent(task.taskId)}`,
    status: "blocked",
    label: text.blockedTask,
    title: visiblePreview(task.title ?? task.request.slice(0, 120)),
    note: visible(task.statusReason ?? ""),
    at: task.updatedAt,
  };
}

function failedTask(
  { id, task }: Extract<Failure, { kind: "task" }>,
  text: Words,
  inWords: (reason: string) => string,
): Item {
  return {
    id,
    to: `/tasks/${encodeURIComponent(id)}`,
    status: "failed",
    label: text.failedTask,
    title: visiblePreview(task.title ?? task.request.slice(0, 120)),
    note: visible(inWords(task.failure?.message ?? "")),
    at: task.updatedAt,
  };
}

function failedAgent({ id, agent }: Extract<Failure, { kind: "agent" }>, text: Words): Item {
  return {
    id,
    to: `/agents/${encodeURIComponent(id)}`,
    status: agent.status,
    label: text.failedAgent,
    title: id,
    note: agent.lastMessage,
    at: agent.endedAt,
  };
}

export function ForYou({ items }: { readonly items: readonly Item[] }) {
  const text = useTexts(TEXTS);
  const [isWhole, setWhole] = useState(false);
  if (items.length === 0) return <EmptyState title={text.nothing}>{text.nothingNote}</EmptyState>;
  const shown = isWhole ? items : items.slice(0, FIRST);
  return (
    <>
      <div role="list" className="overflow-hidden rounded-xl border border-line bg-surface">
        <WindowList
          count={shown.length}
          keyOf={(index) => shown[index]?.id ?? index}
          estimate={() => 62}
          render={(index) => {
            const item = shown[index];
            return item && <Row item={item} />;
          }}
        />
      </div>
      {shown.length < items.length && (
        <Button look="ghost" className="mt-1 text-violet" onPress={() => setWhole(true)}>
          {text.rest(items.length - shown.length)}
        </Button>
      )}
    </>
  );
}

function Row({ item }: { readonly item: Item }) {
  return (
    <div
      role="listitem"
      className="relative flex items-center gap-3 border-b border-line px-4 py-2.5 hover:bg-raised/60"
    >
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={item.status} label={item.label} />
          {item.at && <Ago at={item.at} className="text-xs text-text-3" />}
        </div>
        <Link
          to={item.to}
          className="block truncate font-semibold outline-none after:absolute after:inset-0 focus-visible:underline"
        >
          {item.title}
        </Link>
        {item.note && <p className="truncate text-xs text-text-2">{item.note.slice(0, 300)}</p>}
      </div>
      <ChevronRight size={16} aria-hidden className="shrink-0 text-text-3" />
    </div>
  );
}
