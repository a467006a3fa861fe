import { Link, useNavigate } from "@tanstack/react-router";
import { memo } from "react";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useSection } from "../../../live/sections.ts";
import { useLive } from "../../../live/store.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { EmptyState, ErrorNote, Loading } from "../../../ui/notes.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Ago } from "../../../ui/times.tsx";
import { WindowList } from "../../../ui/virtual-list.tsx";
import { RehearsalMark } from "../../agents/rehearsal-mark.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { type Change, type TaskStatus, waitingTasks } from "../columns.ts";
import { PriorityMark } from "../priority-mark.tsx";
import { TASKS } from "../texts.ts";
import { MoveMenu } from "./move-menu.tsx";
import { useTaskList } from "./use-task-list.ts";

export type ListViewProps = {
  readonly text: string;
  readonly priority: string;
  readonly statuses: readonly TaskStatus[];
  readonly onChange: (task: WireTask, change: Change) => void;
};

const GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 lg:grid-cols-[11.5rem_minmax(0,1fr)_4rem_7rem_6rem_6rem_2rem]";

/** All tasks, newest first, as a virtual list. */
export function ListView({ onChange, ...filter }: ListViewProps) {
  const text = useTexts(TASKS);
  const list = useTaskList(filter);
  if (list.isPending) return <Loading />;
  if (list.error) return <ErrorNote error={list.error} onRetry={list.retry} />;
  if (list.tasks.length === 0 && !list.hasMore) return <EmptyState title={text.nothing} />;
  return (
    <div>
      <div className="rounded-xl border border-line bg-surface">
        <div
          aria-hidden
          className={`${GRID} hidden border-b border-line px-4 py-2 text-xs text-text-3 lg:grid`}
        >
          <span>{text.status}</span>
          <span>{text.task}</span>
          <span>{text.priority}</span>
          <span>{text.requester}</span>
          <span>{text.created}</span>
          <span>{text.updated}</span>
          <span />
        </div>
        <WindowList
          count={list.tasks.length}
          keyOf={(index) => list.tasks[index]?.taskId ?? index}
          estimate={() => 46}
          overscan={10}
          render={(index) => {
            const task = list.tasks[index];
            return task && <Row task={task} onChange={onChange} />;
          }}
        />
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onMore={list.loadMore} />
    </div>
  );
}

type RowProps = { readonly task: WireTask } & Pick<ListViewProps, "onChange">;

/** Memoised, because scrolling renders all visible rows. */
const Row = memo(function Row({ task, onChange }: RowProps) {
  const { taskStatus, approvalKind } = useTexts(COMMON);
  const nameOf = usePersonName();
  const check = useLive(({ approvals }) =>
    task.status === "in_progress" ? waitingTasks(approvals).get(task.taskId)?.kind : undefined,
  );
  const section = useSection(task.groupId);
  const navigate = useNavigate();
  const { taskId } = task;
  return (
    <div className={`${GRID} border-b border-line px-4 py-2 hover:bg-raised`}>
      <span className="order-2 lg:order-none">
        {check === undefined ? (
          <StatusBadge status={task.status} label={taskStatus[task.status]} />
        ) : (
          <StatusBadge status="pending" label={approvalKind[check]} />
        )}
      </span>
      <span className="order-1 flex min-w-0 items-center gap-2 lg:order-none">
        <Link
          to="/tasks/$taskId"
          params={{ taskId }}
          dir="auto"
          className="min-w-0 truncate font-semibold hover:text-violet"
        >
          {visiblePreview(task.title ?? task.request.slice(0, 160))}
        </Link>
        {section?.isRehearsal && <RehearsalMark />}
      </span>
      <span className="order-3 flex gap-x-4 text-xs text-text-3 lg:order-none lg:contents">
        <PriorityMark priority={task.priority} />
        <span className="truncate text-text-2">{nameOf(task.requester)}</span>
        <span className="max-lg:hidden">
          <Ago at={task.createdAt} />
        </span>
        <Ago at={task.updatedAt} />
      </span>
      <span className="order-4 justify-self-end lg:order-none">
        <MoveMenu
          task={task}
          onChange={(change) => onChange(task, change)}
          onOpen={() => void navigate({ to: "/tasks/$taskId", params: { taskId } })}
        />
      </span>
    </div>
  );
});
