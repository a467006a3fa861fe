import { Link } from "@tanstack/react-router";
import { ArrowRight, FileDiff } from "lucide-react";
import type { WireWorkspace } from "../../../../src/contract/shapes/workspaces.ts";
import { LineCounts } from "../../features/changes/diff/file-status.tsx";
import { LISTS } from "../../features/changes/list-texts.ts";
import { OverlapBadge } from "../../features/changes/overlaps/overlap-badge.tsx";
import { CHANGES } from "../../features/changes/texts.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";

const MAX_CHANGES = 4;

export type ChangesCardProps = {
  readonly changes: readonly WireWorkspace[];
  /** Counts the changes of all pages. */
  readonly count: number;
};

/** Changes of agents that wait until a person merges, sends back or discards them. */
export function ChangesCard({ changes, count }: ChangesCardProps) {
  const text = useTexts(LISTS);
  const words = useTexts(CHANGES);
  const { nav } = useTexts(COMMON);
  const format = useFormat();
  return (
    <Card bar="pending" className="flex h-full flex-col gap-1 py-3 pr-3 pl-4">
      <div className="flex items-center justify-between gap-2">
        <StatusBadge
          status="pending"
          label={`${text.waitingHome} ${Math.max(count, changes.length)}`}
        />
        <Link
          to="/workspaces"
          search={{ outcome: "open" }}
          className="inline-flex items-center gap-1 text-xs text-violet hover:underline"
        >
          {nav.workspaces}
          <ArrowRight size={12} aria-hidden />
        </Link>
      </div>
      <ul className="divide-y divide-line/70">
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={change.workspaceId} className="relative flex items-start gap-2.5 py-2">
            <FileDiff size={14} aria-hidden className="mt-1 shrink-0 text-pending" />
            <div className="min-w-0 flex-1">
              <h3>
                <Link
                  to="/agents/$agentId"
                  params={{ agentId: change.agentId }}
                  search={{ tab: "changes" }}
                  className="font-mono text-xs break-all after:absolute after:inset-0 hover:text-violet"
                >
                  {change.agentId}
                </Link>
              </h3>
              <p className="flex flex-wrap gap-x-2 text-xs text-text-2">
                {words.fileCount(format.number(change.files))}
                <LineCounts added={change.added} removed={change.removed} />
                <Ago at={change.capturedAt ?? change.createdAt} className="text-text-3" />
              </p>
              <OverlapBadge agentId={change.agentId} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
