import { useParams } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { TaskDetail } from "../api/task-detail.ts";
import { useTask } from "../api/use-task.ts";
import { useApprovalTitle } from "../features/approvals/approval-title.ts";
import { Decision } from "../features/approvals/decision/decision.tsx";
import { useTaskChanges } from "../features/changes/change-data.ts";
import { ChangeRows } from "../features/changes/lists/change-row.tsx";
import { AnalysisCard } from "../features/tasks/cards/analysis-card.tsx";
import { DraftCard } from "../features/tasks/cards/draft-card.tsx";
import { ExecutionCard } from "../features/tasks/cards/execution-card.tsx";
import { ChangeDialog } from "../features/tasks/change-dialog.tsx";
import { type Change, changesOf } from "../features/tasks/columns.ts";
import { BlockNote } from "../features/tasks/detail/block-note.tsx";
import { TaskHeader } from "../features/tasks/detail/header.tsx";
import { StopDelivery } from "../features/tasks/detail/stop-delivery.tsx";
import { TASK } from "../features/tasks/detail/texts.ts";
import { Feed } from "../features/tasks/feed/feed.tsx";
import { AuditTab } from "../features/tasks/tabs/audit-tab.tsx";
import { CostsTab } from "../features/tasks/tabs/costs-tab.tsx";
import { countDiffs, DiffsTab } from "../features/tasks/tabs/diffs-tab.tsx";
import { FilesTab } from "../features/tasks/tabs/files-tab.tsx";
import { useTaskFiles } from "../features/tasks/tabs/use-task-files.ts";
import { useTexts } from "../i18n/texts.ts";
import { Card } from "../ui/card.tsx";
import { isTyping } from "../ui/is-typing.ts";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PhoneBar } from "../ui/phone-bar.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Countdown } from "../ui/times.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { useWide } from "../ui/use-wide.ts";

export function Page() {
  const { taskId = "" } = useParams({ strict: false });
  const found = useTask(taskId);
  if (found.data) return <TaskPage key={taskId} task={found.data} />;
  if (found.isError) return <PageError error={found.error} reset={() => void found.refetch()} />;
  return <Loading />;
}

function TaskPage({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const isWide = useWide();
  const [asked, setAsked] = useState<Change | null>(null);
  const pending = task.approvals.filter(({ status }) => status === "pending").toReversed();
  const checks = pending.filter(({ kind }) => kind !== "prompt" && kind !== "process");
  const inBar = isWide ? undefined : pending.find(fitsInBar);
  useBlockKey(() => changesOf(task).includes("block") && setAsked("block"));
  return (
    <>
      <TaskHeader task={task} onChange={setAsked} />
      {!isWide && isStopped(task) && (
        <div className="mb-3">
          <StopDelivery task={task} />
        </div>
      )}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(320px,400px)]">
        <ol aria-label={text.cards} className="flex min-w-0 flex-col gap-3">
          <AnalysisCard task={task} />
          <DraftCard task={task} kind="prompt" isDecidedInBar={inBar?.kind === "prompt"} />
          <DraftCard task={task} kind="process" isDecidedInBar={inBar?.kind === "process"} />
          <ExecutionCard
            task={task}
            checks={checks}
            inBar={inBar?.approvalId ?? null}
            onStop={() => setAsked("cancel")}
          />
        </ol>
        <aside
          aria-label={text.tabs}
          className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-[60px] lg:max-h-[calc(100dvh-72px)] lg:self-start lg:overflow-y-auto"
        >
          {isWide && isStopped(task) && <StopDelivery task={task} />}
          <SideTabs task={task} />
          {task.status === "in_progress" && <BlockNote />}
        </aside>
      </div>
      {inBar && <DecisionBar approval={inBar} />}
      {asked && <ChangeDialog task={task} change={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** A free-text answer needs more room than the bar of a phone has. */
function fitsInBar({ kind, choices }: WireApproval): boolean {
  return kind !== "question" || choices.length > 0;
}

function isStopped({ status, executions, notifications }: TaskDetail): boolean {
  if (status === "blocked" || executions.at(-1)?.status === "stopping") return true;
  return status === "cancelled" && notifications.some(({ type }) => type === "cancelled");
}

function SideTabs({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const [filters, setFilters] = useFilters();
  const files = useTaskFiles(task);
  const diffs = countDiffs(task) + files.count;
  const changes = useTaskChanges(task.taskId).data?.changes ?? [];
  const tabs = [
    { id: "feed", label: text.feed, content: <Feed task={task} /> },
    {
      id: "diffs",
      label: diffs > 0 ? `${text.diffs} ${diffs}` : text.diffs,
      content: <DiffsTab task={task} files={files} />,
    },
    ...(changes.length > 0
      ? [
          {
            id: "changes",
            label: `${text.changes} ${changes.length}`,
            content: <ChangeRows changes={changes} />,
          },
        ]
      : []),
    {
      id: "files",
      label: files.count > 0 ? `${text.files} ${files.count}` : text.files,
      content: <FilesTab files={files} />,
    },
    { id: "costs", label: text.costs, content: <CostsTab task={task} /> },
    { id: "audit", label: text.audit, content: <AuditTab task={task} /> },
  ];
  const selected = tabs.find(({ id }) => id === filters["tab"])?.id ?? "feed";
  return (
    <Card className="px-4 pt-1 pb-4">
      <Tabs
        label={text.tabs}
        tabs={tabs}
        selected={selected}
        onSelect={(tab) =>
          setFilters({ tab: tab === "feed" ? undefined : tab, agent: undefined, file: undefined })
        }
      />
    </Card>
  );
}

function DecisionBar({ approval }: { readonly approval: WireApproval }) {
  const titleOf = useApprovalTitle();
  const text = useTexts(TASK);
  return (
    <PhoneBar>
      <p className="mb-2 flex justify-between gap-3 text-xs text-text-2">
        <span className="truncate">{titleOf(approval)}</span>
        {approval.expiresAt !== null && (
          <span className="shrink-0">
            {text.deadline} <Countdown at={approval.expiresAt} />
          </span>
        )}
      </p>
      <Decision key={approval.approvalId} approval={approval} size="large" fill />
    </PhoneBar>
  );
}

/** The B key opens the dialog that blocks the task. */
function useBlockKey(block: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "b" || isTyping(event)) return;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    // The dialog takes the focus at once; keep this letter out of its field.
    event.preventDefault();
    block();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
