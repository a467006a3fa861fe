import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { get } from "../../../api/http.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useLive } from "../../../live/store.ts";
import { cx } from "../../../ui/cx.ts";
import { ErrorNote } from "../../../ui/notes.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { useWide } from "../../../ui/use-wide.ts";
import {
  type Change,
  type Column,
  COLUMNS,
  columnOf,
  STATUSES_OF,
  waitingTasks,
} from "../columns.ts";
import { TASKS } from "../texts.ts";
import { BoardColumn, type BoardItem } from "./board-column.tsx";
import { PhoneDrops } from "./phone-drops.tsx";
import { useTaskList } from "./use-task-list.ts";

export type BoardProps = {
  readonly text: string;
  readonly priority: string;
  readonly onChange: (task: WireTask, change: Change) => void;
};

const BAR: Record<Column, string> = {
  todo: "bg-generating",
  progress: "bg-running",
  waiting: "bg-pending",
  blocked: "bg-blocked",
  done: "bg-success",
};

/** A phone shows the first non-empty column of these. */
const FIRST_SHOWN = ["progress", "waiting", "blocked", "todo", "done"] as const;

/** Five columns; one at a time on a phone. */
export function Board({ text: search, priority, onChange }: BoardProps) {
  const text = useTexts(TASKS);
  const format = useFormat();
  const isWide = useWide();
  const [filters, setFilters] = useFilters();
  const [dragged, setDragged] = useState<WireTask | null>(null);
  const approvals = useLive((state) => state.approvals);
  const waiting = useMemo(() => waitingTasks(approvals), [approvals]);
  const filter = { text: search, priority };
  const lists: Record<Column, ReturnType<typeof useTaskList>> = {
    todo: useTaskList({ ...filter, statuses: STATUSES_OF.todo }),
    progress: useTaskList({ ...filter, statuses: STATUSES_OF.progress }),
    waiting: useTaskList({ ...filter, statuses: STATUSES_OF.waiting }),
    blocked: useTaskList({ ...filter, statuses: STATUSES_OF.blocked }),
    done: useTaskList({ ...filter, statuses: STATUSES_OF.done }),
  };
  const items = Object.fromEntries(
    COLUMNS.map((column) => [column, itemsOf(column, lists, waiting)]),
  );
  const [first, setFirst] = useState<Column | null>(null);
  // Chosen once: the column must not change when its last card is moved.
  if (first === null && COLUMNS.every((column) => !lists[column].isPending)) {
    setFirst(FIRST_SHOWN.find((column) => (items[column]?.length ?? 0) > 0) ?? "progress");
  }
  const counts = useCounts(search === "" && priority === "", waiting, lists.progress.tasks);
  const countOf = (column: Column) => {
    const shown = items[column]?.length ?? 0;
    return counts?.[column] ?? `${format.number(shown)}${lists[column].hasMore ? "+" : ""}`;
  };
  const failed = COLUMNS.map((column) => lists[column]).find(({ error }) => error !== null);
  if (failed) return <ErrorNote error={failed.error} onRetry={failed.retry} />;
  const onPhone = COLUMNS.find((column) => column === filters["column"]) ?? first ?? "progress";
  return (
    <>
      {!isWide && (
        <Segments
          label={text.status}
          value={onPhone}
          onChange={(column) => setFilters({ column })}
          options={COLUMNS.map((id) => ({ id, label: text.columns[id], count: countOf(id) }))}
        />
      )}
      <div className="grid h-[calc(100dvh-312px)] min-h-80 gap-3 lg:h-[calc(100dvh-11rem)] lg:grid-cols-5">
        {COLUMNS.filter((column) => isWide || column === onPhone).map((column) => (
          <section
            key={column}
            aria-label={text.columns[column]}
            className="flex min-h-0 flex-col overflow-hidden rounded-xl border border-line bg-well"
          >
            <span aria-hidden className={cx("h-[3px] shrink-0", BAR[column])} />
            <h2 className="flex items-center justify-between gap-2 px-3 py-2 font-bold">
              {text.columns[column]}
              <span className="font-mono text-xs font-normal text-text-3">{countOf(column)}</span>
            </h2>
            <BoardColumn
              column={column}
              items={items[column] ?? []}
              isLoading={lists[column].isPending || lists[column].isLoadingMore}
              onMore={lists[column].loadMore}
              dragged={dragged}
              onDrag={setDragged}
              onChange={onChange}
            />
          </section>
        ))}
      </div>
      {!isWide && dragged && <PhoneDrops dragged={dragged} onChange={onChange} />}
    </>
  );
}

/** Tasks in progress whose execution waits for a person belong to the waiting column. */
function itemsOf(
  column: Column,
  lists: Record<Column, ReturnType<typeof useTaskList>>,
  waiting: ReturnType<typeof waitingTasks>,
): readonly BoardItem[] {
  const tasks =
    column === "waiting" ? [...lists.waiting.tasks, ...lists.progress.tasks] : lists[column].tasks;
  return tasks
    .filter((task) => columnOf(task, waiting) === column)
    .map((task) => itemOf(task, waiting.get(task.taskId)));
}

const made = new WeakMap<WireTask, BoardItem>();

/** Keeps the identity of unchanged tasks, so that their cards do not render. */
function itemOf(task: WireTask, approval: WireApproval | undefined): BoardItem {
  const known = made.get(task);
  if (known?.approval === approval && known) return known;
  const item = { id: task.taskId, task, approval };
  made.set(task, item);
  return item;
}

/** Total number, including tasks that are not loaded. */
function useCounts(
  isAll: boolean,
  waiting: ReturnType<typeof waitingTasks>,
  inProgress: readonly WireTask[],
): Record<Column, string> | null {
  const format = useFormat();
  const found = useQuery({
    queryKey: ["task", "counts"],
    queryFn: ({ signal }) => get("/api/tasks", { query: { limit: 1 }, signal }),
    enabled: isAll,
  });
  if (!isAll || !found.data) return null;
  const { counts } = found.data;
  const sum = (column: Column) =>
    STATUSES_OF[column].reduce((total, status) => total + (counts[status] ?? 0), 0);
  const held = inProgress.filter(({ taskId }) => waiting.has(taskId)).length;
  return {
    todo: format.number(sum("todo")),
    progress: format.number(Math.max(0, sum("progress") - held)),
    waiting: format.number(sum("waiting") + held),
    blocked: format.number(sum("blocked")),
    done: format.number(sum("done")),
  };
}
