import { useState } from "react";
import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import { useMayOperate } from "../api/use-me.ts";
import { Board } from "../features/tasks/board/board.tsx";
import { ListView } from "../features/tasks/board/list-view.tsx";
import { TaskFilters, taskFiltersIn } from "../features/tasks/board/task-filters.tsx";
import { ChangeDialog } from "../features/tasks/change-dialog.tsx";
import { type Change, STATUSES_OF } from "../features/tasks/columns.ts";
import { TASKS } from "../features/tasks/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/notes.tsx";
import { openOverlay } from "../ui/overlays.ts";
import { Segments } from "../ui/segments.tsx";
import { useFilters } from "../ui/use-filters.ts";

export function Page() {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const [filters, setFilters] = useFilters();
  const [asked, setAsked] = useState<{ task: WireTask; change: Change } | null>(null);
  const isEmpty = useLive(({ tasks, connection }) => tasks.size === 0 && connection.asOf !== null);
  const view = filters["view"] === "list" ? "list" : "board";
  const found = taskFiltersIn(filters);
  const { search, priority, column, isFiltered } = found;
  const onChange = (task: WireTask, change: Change) => setAsked({ task, change });
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-bold">{text.title}</h1>
        <Segments
          label={text.view}
          value={view}
          onChange={(next) => setFilters({ view: next === "list" ? next : undefined })}
          options={[
            { id: "board", label: text.board },
            { id: "list", label: text.list },
          ]}
        />
        <TaskFilters filters={found} setFilters={setFilters} hasStatus={view === "list"} />
      </header>
      {isEmpty && !isFiltered ? (
        <EmptyState
          title={text.emptyTitle}
          action={
            mayOperate && (
              <Button look="violet" onPress={() => openOverlay({ kind: "new-task" })}>
                {common.newTask}
              </Button>
            )
          }
        >
          {text.empty}
        </EmptyState>
      ) : view === "board" ? (
        <Board text={search} priority={priority} onChange={onChange} />
      ) : (
        <ListView
          text={search}
          priority={priority}
          statuses={column ? STATUSES_OF[column] : []}
          onChange={onChange}
        />
      )}
      {asked && (
        <ChangeDialog task={asked.task} change={asked.change} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}
