import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, ChevronDown, ListFilter } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { StatusIcon } from "../../ui/status-badge.tsx";
import { WindowList } from "../../ui/virtual-list.tsx";
import { type Order, SETTLED } from "./filters.ts";
import { type Group, type Item, itemsOf } from "./group-entries.ts";
import { GRID, HistoryRow } from "./row.tsx";
import { TEXTS } from "./texts.ts";

const ROW_PX = 64;
const GROUP_PX = 52;

export type HistoryTableProps = {
  readonly entries: readonly WireHistoryEntry[];
  readonly view: "list" | "groups";
  readonly hasMore: boolean;
  readonly onGroup: (groupId: string) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
};

export function HistoryTable(props: HistoryTableProps) {
  const text = useTexts(TEXTS);
  const { entries, view, hasMore, onGroup, order, onOrder } = props;
  const { columns } = text;
  const [open, toggle] = useSet();
  const [folded, fold] = useSet();
  const items = useMemo(() => itemsOf(entries, view, folded), [entries, view, folded]);
  const names = [
    columns.status,
    columns.agent,
    columns.group,
    columns.summary,
    columns.files,
    columns.tools,
    columns.duration,
  ];
  const renderItem = (item: Item | undefined, index: number) => {
    if (!item) return null;
    if (item.kind === "group") {
      return (
        <GroupRow
          group={item.group}
          isFolded={folded.has(item.group.groupId)}
          hasMore={hasMore}
          onFold={fold}
          onOnly={onGroup}
        />
      );
    }
    return (
      <HistoryRow
        entry={item.entry}
        index={index}
        isOpen={open.has(item.entry.agentId)}
        isGrouped={view === "groups"}
        onToggle={toggle}
      />
    );
  };
  return (
    <div
      role="table"
      aria-label={text.table}
      aria-rowcount={hasMore ? -1 : items.length + 1}
      className="rounded-xl border border-line bg-surface"
    >
      <div role="rowgroup" className="sticky top-[calc(3.25rem+1px)] z-20 max-lg:sr-only">
        <div
          role="row"
          aria-rowindex={1}
          className={cx(
            GRID,
            "rounded-t-xl border-b border-line bg-raised px-3 py-1.5 text-xs text-text-3",
          )}
        >
          <span role="columnheader" aria-sort={order === "asc" ? "ascending" : "descending"}>
            <SortButton order={order} onOrder={onOrder} />
          </span>
          {names.map((name, index) => (
            <span key={name} role="columnheader" className={cx(index > 4 && "text-right")}>
              {name}
            </span>
          ))}
          <span role="columnheader" className="sr-only">
            {columns.more}
          </span>
        </div>
      </div>
      <div role="rowgroup">
        <WindowList
          count={items.length}
          keyOf={(index) => keyOf(items[index], index)}
          estimate={(index) => (items[index]?.kind === "group" ? GROUP_PX : ROW_PX)}
          overscan={8}
          render={(index) => renderItem(items[index], index)}
        />
      </div>
    </div>
  );
}

function SortButton({ order, onOrder }: Pick<HistoryTableProps, "order" | "onOrder">) {
  const text = useTexts(TEXTS);
  const Icon = order === "asc" ? ArrowUp : ArrowDown;
  return (
    <AriaButton
      onPress={() => onOrder(order === "asc" ? "desc" : "asc")}
      className="inline-flex items-center gap-1 rounded hover:text-text"
    >
      {text.columns.ended}
      <Icon size={12} aria-hidden />
      <span className="sr-only">
        {text.sort}: {text.orders[order]}
      </span>
    </AriaButton>
  );
}

function keyOf(item: Item | undefined, index: number): string | number {
  if (!item) return index;
  return item.kind === "group" ? `group ${item.group.groupId}` : item.entry.agentId;
}

function useSet(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set());
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return [ids, toggle];
}

function GroupRow({
  group,
  isFolded,
  hasMore,
  onFold,
  onOnly,
}: {
  readonly group: Group;
  readonly isFolded: boolean;
  readonly hasMore: boolean;
  readonly onFold: (id: string) => void;
  readonly onOnly: (id: string) => void;
}) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const format = useFormat();
  return (
    <div role="row" className="border-b border-line bg-raised/70">
      <div role="cell" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <AriaButton
          aria-expanded={!isFolded}
          onPress={() => onFold(group.groupId)}
          className="flex min-w-0 flex-1 items-center gap-2 rounded text-left"
        >
          <ChevronDown
            size={15}
            aria-hidden
            className={cx("shrink-0 transition-transform", isFolded && "-rotate-90")}
          />
          <span className="min-w-0 truncate font-semibold">
            {group.description || group.groupId}
          </span>
          <span className="font-mono text-xs text-text-3">
            {text.inGroup(format.number(group.entries.length) + (hasMore ? "+" : ""))}
          </span>
        </AriaButton>
        <span className="flex flex-wrap items-center gap-3 text-xs text-text-2">
          {SETTLED.map((status) => {
            const count = group.counts[status] ?? 0;
            return (
              count > 0 && (
                <span key={status} className="inline-flex items-center gap-1">
                  <StatusIcon status={status} />
                  {agentStatus[status]} {format.number(count)}
                </span>
              )
            );
          })}
          <Link
            to="/groups/$groupId"
            params={{ groupId: group.groupId }}
            className="font-mono text-[11px] text-violet hover:underline"
          >
            {group.groupId}
          </Link>
          <IconButton label={text.onlyGroup} size="small" onPress={() => onOnly(group.groupId)}>
            <ListFilter size={14} aria-hidden />
          </IconButton>
        </span>
      </div>
    </div>
  );
}
