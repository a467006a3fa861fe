import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { Ago, Countdown } from "../../../ui/times.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { useApprovalTitle } from "../approval-title.ts";
import { numberIn } from "../content/shown.ts";
import { KindIcon } from "../kind-icon.tsx";
import { useTaskName } from "../task-link.tsx";
import { APPROVALS } from "../texts.ts";

export type InboxListProps = {
  readonly approvals: readonly WireApproval[];
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
};

/** Pending approvals, oldest first. */
export function InboxList({ approvals, selectedId, onSelect, onOpen }: InboxListProps) {
  const text = useTexts(APPROVALS);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: approvals.length,
    getScrollElement: () => box.current,
    estimateSize: () => 84,
    getItemKey: (index) => approvals[index]?.approvalId ?? index,
    overscan: 8,
  });
  const selected = approvals.findIndex(({ approvalId }) => approvalId === selectedId);
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <div
      ref={box}
      className="max-h-[calc(100dvh-15rem)] overflow-y-auto rounded-xl border border-line bg-surface"
    >
      <ul aria-label={text.list} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const approval = approvals[item.index];
          if (!approval) return null;
          const isSelected = approval.approvalId === selectedId;
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                aria-current={isSelected}
                onClick={() => onSelect(approval.approvalId)}
                onKeyDown={(event) => onKeyDown(event, approval.approvalId)}
                className={cx(
                  "block w-full border-l-2 px-3 py-2.5 text-left focus-visible:-outline-offset-2",
                  isSelected ? "border-pending bg-raised" : "border-transparent hover:bg-raised/60",
                )}
              >
                <InboxRow approval={approval} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function InboxRow({ approval }: { readonly approval: WireApproval }) {
  const { approvalKind } = useTexts(COMMON);
  const text = useTexts(APPROVALS);
  const title = useApprovalTitle()(approval);
  const nameOf = usePersonName();
  const version = numberIn(approval.shown, "version");
  const taskName = useTaskName(approval.taskId ?? "");
  return (
    <>
      <span className="flex items-center gap-1.5 text-xs text-pending">
        <KindIcon kind={approval.kind} />
        {approvalKind[approval.kind]}
        {version !== null && <span className="font-mono">v{version}</span>}
        <span className="ml-auto text-text-3">
          <Ago at={approval.createdAt} />
        </span>
      </span>
      <span className="mt-0.5 line-clamp-2 font-semibold">{title}</span>
      <span className="mt-0.5 flex items-center gap-2 text-xs text-text-3">
        <span className="truncate">
          {taskName && !title.includes(taskName) ? taskName : nameOf(approval.requester)}
        </span>
        {approval.expiresAt !== null && (
          <span className="ml-auto">
            {text.left} <Countdown at={approval.expiresAt} />
          </span>
        )}
      </span>
    </>
  );
}
