import { Link } from "@tanstack/react-router";
import { memo, useMemo, useRef, useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { useSections } from "../../../live/sections.ts";
import { type LiveStore, useLive } from "../../../live/store.ts";
import { cx } from "../../../ui/cx.ts";
import { useFilters } from "../../../ui/use-filters.ts";
import { useWidth } from "../../../ui/use-width.ts";
import { WindowList } from "../../../ui/virtual-list.tsx";
import { AgentTile } from "../../agents/agent-tile.tsx";
import { GroupHead } from "./group-head.tsx";
import { GroupLead } from "./group-lead.tsx";
import {
  type GroupRow,
  isInView,
  orderGroups,
  rowsOf,
  type Unfolded,
  type View,
  VIEWS,
} from "./group-rows.ts";
import { TEXTS } from "./texts.ts";

const LEAST_TILE_PX = 262;
const MAX_COLUMNS = 4;
const HEIGHTS = { head: 62, lead: 64, agents: 168, foot: 24 } as const;

/** With more agents than this, dots stop pulsing to save frames. */
const CROWD = 40;
const CALM = "[&_.animate-pulse-ring]:animate-none [&_.animate-blink]:animate-none";

export function GroupsSection() {
  const text = useTexts(TEXTS);
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor((width - 24) / LEAST_TILE_PX)));
  const [filters, setFilters] = useFilters();
  const view = VIEWS.find((known) => known === filters["view"]) ?? "active";
  const [unfolded, setUnfolded] = useState<Unfolded>(new Map());
  const groups = useLive((state) => state.groups);
  const entries = useEntries(groups);
  const { shown, counts } = useMemo(() => inViews(entries, view), [entries, view]);
  const rows = useMemo(() => rowsOf(shown, unfolded, columns), [shown, unfolded, columns]);
  const isCrowded = shown.reduce((sum, { section }) => sum + (section?.live ?? 0), 0) > CROWD;
  const toggle = (groupId: string, isOpen: boolean) =>
    setUnfolded((before) => new Map(before).set(groupId, isOpen));
  return (
    <section aria-labelledby="groups" ref={place}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="groups" className="text-[15px] font-bold">
          {text.groups}
        </h2>
        <ViewChips view={view} counts={counts} />
      </div>
      {rows.length === 0 ? (
        <Nothing view={view} onAll={() => setFilters({ view: "all" })} />
      ) : (
        width > 0 && (
          <WindowList
            className={isCrowded ? CALM : ""}
            count={rows.length}
            keyOf={(index) => rows[index]?.key ?? index}
            estimate={(index) => HEIGHTS[rows[index]?.kind ?? "head"]}
            render={(index) => {
              const row = rows[index];
              return (
                row && (
                  <div className={groups.get(row.groupId)?.parentGroupId ? "pl-4 sm:pl-6" : ""}>
                    <Row row={row} columns={columns} onToggle={toggle} />
                  </div>
                )
              );
            }}
          />
        )
      )}
    </section>
  );
}

function useEntries(groups: LiveStore["groups"]) {
  const approvals = useLive((state) => state.approvals);
  const tasks = useLive((state) => state.tasks);
  const sections = useSections();
  return useMemo(() => {
    const waiting = new Set<string>();
    for (const { taskId } of approvals.values()) {
      const task = tasks.get(taskId ?? "");
      if (task) waiting.add(task.groupId);
    }
    return { list: orderGroups(groups, sections), waiting };
  }, [groups, sections, approvals, tasks]);
}

function inViews({ list, waiting }: ReturnType<typeof useEntries>, view: View) {
  const count = (of: View) => list.filter((entry) => isInView(entry, of, waiting)).length;
  return {
    shown: list.filter((entry) => isInView(entry, view, waiting)),
    counts: { active: count("active"), attention: count("attention"), all: list.length },
  };
}

type ViewChipsProps = { readonly view: View; readonly counts: Readonly<Record<View, number>> };

function ViewChips({ view, counts }: ViewChipsProps) {
  const text = useTexts(TEXTS);
  return (
    <nav aria-label={text.viewLabel} className="flex gap-1.5">
      {VIEWS.map((each) => (
        <Link
          key={each}
          to="/"
          search={each === "active" ? {} : { view: each }}
          replace
          resetScroll={false}
          aria-current={each === view ? "true" : undefined}
          className={cx(
            "inline-flex min-h-7 items-center rounded-full border px-3 text-xs",
            each === view
              ? "border-violet bg-violet-solid/25 font-semibold text-text"
              : "border-line text-text-2 hover:border-field hover:text-text",
          )}
        >
          {text.view[each]}
          {counts[each] > 0 && <span className="ml-1 font-mono">{counts[each]}</span>}
        </Link>
      ))}
    </nav>
  );
}

function Nothing({ view, onAll }: { readonly view: View; readonly onAll: () => void }) {
  const text = useTexts(TEXTS);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-dashed border-line px-4 py-3 text-text-2">
      {view === "attention" ? text.noAttention : text.noActive}
      {view !== "all" && (
        <button type="button" onClick={onAll} className="text-violet underline">
          {text.seeAllGroups}
        </button>
      )}
    </p>
  );
}

type RowProps = {
  readonly row: GroupRow;
  readonly columns: number;
  readonly onToggle: (groupId: string, isOpen: boolean) => void;
};

/** Rows overlap by one pixel, so that fractional heights show no seams. */
const INSIDE = "-mt-px border-x border-line bg-surface px-3 pb-px";

const Row = memo(
  function Row({ row, columns, onToggle }: RowProps) {
    switch (row.kind) {
      case "head":
        return (
          <div className={row.isOpen ? "" : "pb-3"}>
            <GroupHead
              groupId={row.groupId}
              isOpen={row.isOpen}
              onToggle={() => onToggle(row.groupId, !row.isOpen)}
            />
          </div>
        );
      case "lead":
        return (
          <div className={cx(INSIDE, "pt-1.5")}>
            <GroupLead groupId={row.groupId} />
          </div>
        );
      case "agents":
        return (
          <div
            className={cx(INSIDE, "grid gap-2.5 pt-2.5")}
            style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {row.agentIds.map((agentId) => (
              <AgentTile key={agentId} agentId={agentId} />
            ))}
          </div>
        );
      case "foot":
        return (
          <div className="pb-3">
            <div className="-mt-px h-3 rounded-b-xl border-x border-b border-line bg-surface" />
          </div>
        );
    }
  },
  (before, after) => before.row === after.row && before.columns === after.columns,
);
