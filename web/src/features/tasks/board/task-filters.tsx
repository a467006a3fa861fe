import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { Select } from "../../../ui/select.tsx";
import type { Filters } from "../../../ui/use-filters.ts";
import { COLUMNS } from "../columns.ts";
import { TASKS } from "../texts.ts";

const PRIORITIES = ["high", "medium", "low"] as const;

/** The filters in the URL; invalid values are ignored. */
export function taskFiltersIn(filters: Filters) {
  const search = filters["q"] ?? "";
  const priority = PRIORITIES.find((each) => each === filters["priority"]) ?? "";
  const column = COLUMNS.find((each) => each === filters["status"]);
  const isFiltered = search !== "" || priority !== "" || column !== undefined;
  return { search, priority, column, isFiltered } as const;
}

export type TaskFiltersProps = {
  readonly filters: ReturnType<typeof taskFiltersIn>;
  readonly setFilters: (changes: Filters) => void;
  readonly hasStatus: boolean;
};

export function TaskFilters({ filters, setFilters, hasStatus }: TaskFiltersProps) {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const { search, priority, column, isFiltered } = filters;
  return (
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
      {hasStatus && (
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
  );
}
