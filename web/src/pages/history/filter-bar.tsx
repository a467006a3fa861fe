import { useQuery } from "@tanstack/react-query";
import { ChevronDown, FilterX, SlidersHorizontal } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { get } from "../../api/http.ts";
import { useRoleName } from "../../api/role-names.ts";
import { useInternalName } from "../../features/roles/role-icon.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { cx } from "../../ui/cx.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { type HistoryFilters, ORDERS, PERIODS, SETTLED, VIEWS } from "./filters.ts";
import { TEXTS } from "./texts.ts";

const NONE = "-";

export type FilterBarProps = {
  readonly filters: HistoryFilters;
  readonly entries: readonly WireHistoryEntry[];
};

export function FilterBar({ filters, entries }: FilterBarProps) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const roles = useRoleOptions(filters.role, entries);
  const runners = useRunnerOptions(filters.runner, entries);
  const { change } = filters;
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-label={text.filters}
      className={cx(
        "mb-3 grid grid-cols-2 items-end gap-x-3 gap-y-2.5 rounded-xl border border-line bg-surface p-3 sm:grid-cols-3 lg:flex lg:flex-wrap",
        !isOpen && "max-lg:[&>*:nth-child(n+2)]:hidden",
      )}
    >
      <Button
        look="ghost"
        className="col-span-2 -my-1 justify-self-stretch sm:col-span-3 lg:hidden"
        icon={<SlidersHorizontal size={14} aria-hidden />}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {filters.isFiltered ? text.filtersOn : text.filters}
        <ChevronDown size={14} aria-hidden className={cx("ml-auto", isOpen && "rotate-180")} />
      </Button>
      <div className="col-span-2 sm:col-span-3 lg:w-72">
        <GroupFilter filters={filters} entries={entries} />
      </div>
      <Choice
        className="lg:w-40"
        label={text.status}
        value={filters.status}
        options={SETTLED.map((id) => ({ id, label: agentStatus[id] }))}
        onChange={(status) => change({ status })}
      />
      <Choice
        className="lg:w-44"
        label={text.role}
        value={filters.role}
        options={roles}
        onChange={(role) => change({ role })}
      />
      <Choice
        className="lg:w-36"
        label={text.runner}
        value={filters.runner}
        options={runners}
        onChange={(runner) => change({ runner })}
      />
      <div className="lg:w-36">
        <Select
          label={text.period}
          value={filters.period}
          onChange={(id) => change({ period: id === "all" ? "" : id })}
          options={PERIODS.map((id) => ({ id, label: text.periods[id] }))}
        />
      </div>
      <CustomPeriod filters={filters} />
      {filters.isFiltered && (
        <Button
          look="ghost"
          icon={<FilterX size={14} aria-hidden />}
          onPress={() =>
            change({ group: "", status: "", role: "", runner: "", period: "", from: "", until: "" })
          }
        >
          {text.clear}
        </Button>
      )}
      <ViewChoices filters={filters} />
    </section>
  );
}

type ChoiceProps = {
  readonly className: string;
  readonly label: string;
  /** Empty means all. */
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly onChange: (id: string) => void;
};

function Choice({ className, label, value, options, onChange }: ChoiceProps) {
  const text = useTexts(TEXTS);
  return (
    <div className={className}>
      <Select
        label={label}
        value={value || NONE}
        onChange={(id) => onChange(id === NONE ? "" : id)}
        options={[{ id: NONE, label: text.all }, ...options]}
      />
    </div>
  );
}

function ViewChoices({ filters }: Pick<FilterBarProps, "filters">) {
  const text = useTexts(TEXTS);
  const { change } = filters;
  return (
    <>
      {/* Wide screens sort by the column header. */}
      <div className="lg:hidden">
        <Select
          label={text.order}
          value={filters.order}
          onChange={(id) => change({ order: id === "desc" ? "" : id })}
          options={ORDERS.map((id) => ({ id, label: text.orders[id] }))}
        />
      </div>
      <div className="col-span-2 sm:col-span-3 lg:ml-auto">
        <Segments
          label={text.view}
          value={filters.view}
          onChange={(view) => change({ view: view === "list" ? "" : view })}
          options={VIEWS.map((id) => ({ id, label: text.views[id] }))}
        />
      </div>
    </>
  );
}

function CustomPeriod({ filters }: Pick<FilterBarProps, "filters">) {
  const text = useTexts(TEXTS);
  const { period, from, until, change } = filters;
  if (period !== "custom") return null;
  return (
    <>
      <DateField
        label={text.from}
        value={from}
        max={until || undefined}
        onChange={(next) => change({ from: next })}
      />
      <DateField
        label={text.until}
        value={until}
        min={from || undefined}
        onChange={(next) => change({ until: next })}
      />
    </>
  );
}

/** Known groups; any other id can be typed. */
function GroupFilter({ filters, entries }: FilterBarProps) {
  const text = useTexts(TEXTS);
  const [typed, setTyped] = useState(filters.group);
  const groups = useQuery({
    queryKey: ["group", "of-history"],
    queryFn: ({ signal }) => get("/api/groups", { query: { limit: 500 }, signal }),
  });
  const options = useMemo(() => {
    const known = new Map<string, string>();
    for (const { groupId, description } of groups.data?.groups ?? [])
      known.set(groupId, description);
    for (const { groupId, groupDescription } of entries) known.set(groupId, groupDescription);
    return [...known].map(([id, note]) => ({ id, note }));
  }, [groups.data, entries]);
  useEffect(() => setTyped(filters.group), [filters.group]);
  return (
    <ComboBox
      label={text.group}
      placeholder={text.groupHint}
      value={typed}
      options={options}
      onChange={setTyped}
      onCommit={(value) =>
        value.trim() !== filters.group && filters.change({ group: value.trim() })
      }
    />
  );
}

/** Runners of the roles and of the loaded entries. */
function useRunnerOptions(chosen: string, entries: readonly WireHistoryEntry[]) {
  const roles = useLive((state) => state.roles);
  return useMemo(() => {
    const known = new Set([...roles, ...entries].map(({ runner }) => runner));
    if (chosen) known.add(chosen);
    return [...known].sort().map((id) => ({ id, label: id }));
  }, [roles, entries, chosen]);
}

/** Current roles, and former roles of the loaded entries. */
function useRoleOptions(chosen: string, entries: readonly WireHistoryEntry[]) {
  const roles = useLive((state) => state.roles);
  const nameOf = useRoleName();
  const internalName = useInternalName();
  return useMemo(() => {
    const known = new Map(roles.map((role) => [role.id, `${nameOf(role)} (${role.id})`]));
    for (const role of [...entries.map((entry) => entry.role), chosen]) {
      const name = internalName(role);
      if (role && !known.has(role)) known.set(role, name ? `${name} (${role})` : role);
    }
    return [...known].map(([id, label]) => ({ id, label }));
  }, [roles, nameOf, internalName, entries, chosen]);
}
