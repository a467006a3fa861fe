import { Link } from "@tanstack/react-router";
import { FileDiff, Wrench } from "lucide-react";
import { memo } from "react";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { RehearsalMark } from "../../features/agents/rehearsal-mark.tsx";
import { RoleIcon, useRoleName } from "../../features/roles/role-icon.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { RowToggle } from "../../ui/row-toggle.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Took } from "../../ui/times.tsx";
import { RowDetails } from "./row-details.tsx";
import { TEXTS } from "./texts.ts";

/** Grid columns of the header and of every row. */
export const GRID =
  "lg:grid lg:grid-cols-[6rem_7.2rem_minmax(0,17.5rem)_minmax(0,11rem)_minmax(0,1fr)_6.6rem_3.2rem_4.2rem_2rem] lg:gap-x-3";

export type HistoryRowProps = {
  readonly entry: WireHistoryEntry;
  readonly index: number;
  readonly isOpen: boolean;
  /** Hidden in the view by group, which shows the group above. */
  readonly isGrouped: boolean;
  readonly onToggle: (agentId: string) => void;
};

export const HistoryRow = memo(function HistoryRow(props: HistoryRowProps) {
  const { entry, index, isOpen, isGrouped, onToggle } = props;
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const format = useFormat();
  return (
    <div className="border-b border-line">
      <div
        role="row"
        aria-rowindex={index + 2}
        className={cx(
          GRID,
          "relative grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-1 px-3 py-2.5 hover:bg-raised/60",
        )}
      >
        <div role="cell" className="order-2 text-xs text-text-3 lg:order-none lg:text-text-2">
          {entry.endedAt && (
            <time dateTime={entry.endedAt} title={format.time(entry.endedAt)}>
              {format.dateTime(entry.endedAt)}
            </time>
          )}
        </div>
        <div role="cell" className="order-1 lg:order-none">
          <StatusBadge status={entry.status} label={agentStatus[entry.status]} />
        </div>
        <div role="cell" className="order-3 col-span-2 min-w-0 lg:order-none lg:col-span-1">
          <Agent entry={entry} />
        </div>
        <div
          role="cell"
          className={cx(
            "order-5 col-span-2 min-w-0 text-xs lg:order-none lg:col-span-1",
            isGrouped && "max-lg:hidden",
          )}
        >
          <p className="truncate text-text-2" title={entry.groupDescription}>
            {entry.groupDescription || "—"}
          </p>
          <p className="font-mono text-[11px] break-all text-text-3">{entry.groupId}</p>
        </div>
        <div role="cell" className="order-4 col-span-2 min-w-0 lg:order-none lg:col-span-1">
          <p className={cx("line-clamp-2", !entry.summary && "text-text-3")}>
            {entry.summary.slice(0, 400) || text.noSummary}
          </p>
        </div>
        <FilesCell entry={entry} />
        <div role="cell" className="text-right font-mono text-xs max-lg:sr-only">
          {format.number(entry.toolCallCount)}
        </div>
        <div role="cell" className="text-right text-xs tabular-nums max-lg:sr-only">
          <Took ms={entry.duration_ms} />
        </div>
        <div role="cell" className="order-7 justify-self-end lg:order-none">
          <RowToggle
            label={text.detailsOf(entry.agentId)}
            isOpen={isOpen}
            onToggle={() => onToggle(entry.agentId)}
          />
        </div>
      </div>
      {isOpen && (
        <div role="row">
          <div role="cell">
            <RowDetails entry={entry} />
          </div>
        </div>
      )}
    </div>
  );
});

/** Changed files; on a phone also the tool calls and the duration. */
function FilesCell({ entry }: { readonly entry: WireHistoryEntry }) {
  const text = useTexts(TEXTS);
  const files = text.files(entry.editedFiles.length, entry.createdFiles.length);
  return (
    <div role="cell" className="order-6 flex gap-3 text-xs text-text-2 lg:order-none">
      <span className={cx("inline-flex items-center gap-1", !files && "max-lg:hidden")}>
        {files ? (
          <>
            <FileDiff size={13} aria-hidden className="lg:hidden" />
            {files}
          </>
        ) : (
          <span className="text-text-3">—</span>
        )}
      </span>
      <span aria-hidden className="inline-flex items-center gap-1 lg:hidden">
        <Wrench size={12} />
        {entry.toolCallCount}
      </span>
      <span aria-hidden className="tabular-nums lg:hidden">
        <Took ms={entry.duration_ms} />
      </span>
    </div>
  );
}

function Agent({ entry }: { readonly entry: WireHistoryEntry }) {
  const name = useRoleName(entry.role);
  return (
    <div className="flex min-w-0 items-start gap-2">
      <span className="mt-0.5 shrink-0 text-text-3">
        <RoleIcon role={entry.role} />
      </span>
      <div className="min-w-0">
        <Link
          to="/agents/$agentId"
          params={{ agentId: entry.agentId }}
          className="font-semibold hover:text-violet hover:underline"
        >
          {name}
        </Link>{" "}
        {(entry.rehearsal ?? entry.runner === "rehearsal") && <RehearsalMark />}
        <p className="font-mono text-[11px] leading-4 break-all text-text-3">{entry.agentId}</p>
      </div>
    </div>
  );
}
