import { useMemo } from "react";
import type { WireGroup } from "../../../src/contract/shapes/groups.ts";
import { GROUP_MODES } from "../../../src/contract/values.ts";
import { GroupRow } from "../features/groups/group-row.tsx";
import { TEXTS } from "../features/groups/list-texts.ts";
import { orderGroups } from "../features/groups/overview/group-rows.ts";
import { useTaskOf } from "../features/groups/task-of-group.ts";
import { useGroups } from "../features/groups/use-groups.ts";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { type Sections, useSections } from "../live/sections.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Select } from "../ui/select.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { WindowList } from "../ui/virtual-list.tsx";

const STATES = ["atWork", "active", "deleted"] as const;
const KINDS = ["own", "task"] as const;
const NO_SECTIONS: Sections = new Map();

export function Page() {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const { groups, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useGroups();
  const taskOf = useTaskOf(groups);
  const { shown, clear, filters, setFilters } = useShown(groups, taskOf);
  const format = useFormat();
  return (
    <>
      <PageHead title={common.nav.groups} note={text.note} />
      <Filters filters={filters} setFilters={setFilters} />
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isPending && groups.length === 0 && <Loading />}
      {!isPending && groups.length === 0 && (
        <EmptyState title={text.none}>{text.noneBody}</EmptyState>
      )}
      {groups.length > 0 && shown.length === 0 && (
        <EmptyState
          title={text.nothingFound}
          action={<Button onPress={clear}>{text.clear}</Button>}
        />
      )}
      {shown.length > 0 && (
        <>
          <p className="mb-1.5 text-xs text-text-3">
            {text.count(format.number(shown.length), format.number(groups.length))}
          </p>
          <WindowList
            count={shown.length}
            keyOf={(index) => shown[index]?.groupId ?? index}
            estimate={() => 70}
            overscan={8}
            render={(index) => {
              const group = shown[index];
              return group && <GroupRow group={group} task={taskOf(group)} />;
            }}
          />
        </>
      )}
      {hasNextPage && (
        <div className="mt-3 text-center">
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {common.more}
          </Button>
        </div>
      )}
    </>
  );
}

type FilterProps = Pick<ReturnType<typeof useShown>, "filters" | "setFilters">;

function Filters({ filters, setFilters }: FilterProps) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 max-sm:[&>:last-child]:col-span-2 sm:grid-cols-[1fr_10rem_10rem_10rem]">
      <div className="col-span-2 sm:col-span-1">
        <Field
          label={text.search}
          value={filters.q}
          onChange={(q) => setFilters({ q: q || undefined })}
        />
      </div>
      <Select
        label={text.kind}
        value={filters.kind}
        onChange={(kind) => setFilters({ kind: kind === "any" ? undefined : kind })}
        options={[
          { id: "any", label: text.any },
          ...KINDS.map((id) => ({ id, label: text.kinds[id] })),
        ]}
      />
      <Select
        label={text.mode}
        value={filters.mode}
        onChange={(mode) => setFilters({ mode: mode === "any" ? undefined : mode })}
        options={[
          { id: "any", label: text.any },
          ...GROUP_MODES.map((id) => ({ id, label: common.groupMode[id] })),
        ]}
      />
      <Select
        label={text.state}
        value={filters.state}
        onChange={(state) => setFilters({ state: state === "any" ? undefined : state })}
        options={[
          { id: "any", label: text.any },
          ...STATES.map((id) => ({ id, label: id === "deleted" ? text.finished : text[id] })),
        ]}
      />
    </div>
  );
}

function useShown(groups: readonly WireGroup[], taskOf: ReturnType<typeof useTaskOf>) {
  const [search, setFilters] = useFilters();
  const sections = useSections();
  const q = search["q"] ?? "";
  const mode = GROUP_MODES.find((id) => id === search["mode"]) ?? "any";
  const state = STATES.find((id) => id === search["state"]) ?? "any";
  const kind = KINDS.find((id) => id === search["kind"]) ?? "any";
  const shown = useMemo(() => {
    const wanted = q.trim().toLowerCase();
    const found = groups.filter(
      (group) =>
        (mode === "any" || group.mode === mode) &&
        isInState(group, state, sections) &&
        (kind === "any" || (taskOf(group) === undefined) === (kind === "own")) &&
        (group.description.toLowerCase().includes(wanted) || group.groupId.includes(wanted)),
    );
    const byId = new Map(found.map((group) => [group.groupId, group]));
    // The groups of steps follow the group of their task.
    return orderGroups(byId, NO_SECTIONS).flatMap(({ group }) => group ?? []);
  }, [groups, sections, taskOf, q, mode, state, kind]);
  const clear = () =>
    setFilters({ q: undefined, mode: undefined, state: undefined, kind: undefined });
  return { shown, clear, filters: { q, mode, state, kind }, setFilters };
}

function isInState(
  group: WireGroup,
  state: (typeof STATES)[number] | "any",
  sections: Sections,
): boolean {
  switch (state) {
    case "any":
      return true;
    case "atWork":
      return (sections.get(group.groupId)?.live ?? 0) > 0;
    case "active":
    case "deleted":
      return group.status === state;
  }
}
