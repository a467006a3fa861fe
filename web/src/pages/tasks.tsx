import { useState } from "react";
import type { WireTask } from "../../../src/contract/task-shapes.ts";
import { Board } from "../features/tasks/board/board.tsx";
import { ListView } from "../features/tasks/board/list-view.tsx";
import { ChangeDialog } from "../features/tasks/change-dialog.tsx";
import { type Change, COLUMNS, STATUSES_OF } from "../features/tasks/columns.ts";
import { TASKS } from "../features/tasks/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/notes.tsx";
import { openOverlay } from "../ui/overlays.ts";
import { SearchBox } from "../ui/search-box.tsx";
import { Segments } from "../ui/segments.tsx";
import { Select } from "../ui/select.tsx";
import { useFilters } from "../ui/use-filters.ts";

const PRIORITIES = ["high", "medium", "low"] as const;

export function Page() {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const [filters, setFilters] = useFilters();
  const [asked, setAsked] = useState<{ task: WireTask; change: Change } | null>(null);
  const isEmpty = useLive(({ tasks, connection }) => tasks.size === 0 && connection.asOf !== null);
  const view = filters["view"] === "list" ? "list" : "board";
  const search = filters["q"] ?? "";
  const priority = PRIORITIES.find((each) => each === filters["priority"]) ?? "";
  const column = COLUMNS.find((each) => each === filters["status"]);
  const onChange = (task: WireTask, change: Change) => setAsked({ task, change });
  const isFiltered = search !== "" || priority !== "" || column !== undefined;
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
        <div className="flex flex-1 flex-wrap items-center justify-end gap-2">
          {isFiltered && (
            <Button
              look="ghost"
              size="small"
              onPress={() => setFilters({ q: undefined, priority: undefined, status: undefined })}
            >
              {text.clear}
            </Button>
          )}
          {view === "list" && (
            <Select
              label={text.status}
              hideLabel
              value={column ?? "all"}
              onChange={(id) => setFilters({ status: id === "all" ? undefined : id })}
              options={[
                { id: "all", label: `${text.status}: ${text.all}` },
                ...COLUMNS.map((id) => ({ id, label: text.columns[id] })),
              ]}
            />
          )}
          <Select
            label={text.priority}
            hideLabel
            value={priority === "" ? "all" : priority}
            onChange={(id) => setFilters({ priority: id === "all" ? undefined : id })}
            options={[
              { id: "all", label: `${text.priority}: ${text.all}` },
              ...PRIORITIES.map((id) => ({
                id,
                label: `${text.priority}: ${common.priority[id]}`,
              })),
            ]}
          />
          <SearchBox
            label={text.search}
            placeholder={text.searchHint}
            value={search}
            onChange={(q) => setFilters({ q })}
          />
        </div>
      </header>
      {isEmpty && !isFiltered ? (
        <EmptyState
          title={text.emptyTitle}
          action={
            <Button look="violet" onPress={() => openOverlay({ kind: "new-task" })}>
              {common.newTask}
            </Button>
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
