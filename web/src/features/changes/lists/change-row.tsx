import { Link } from "@tanstack/react-router";
import { ArrowRight, TriangleAlert } from "lucide-react";
import type { WireWorkspace } from "../../../../../src/contract/shapes/workspaces.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Ago } from "../../../ui/times.tsx";
import { LineCounts } from "../diff/file-status.tsx";
import { LISTS } from "../list-texts.ts";
import { OverlapBadge } from "../overlaps/overlap-badge.tsx";
import { CHANGES } from "../texts.ts";

/** One change in a list; the whole row opens its review. */
export function ChangeRow({ workspace }: { readonly workspace: WireWorkspace }) {
  const text = useTexts(LISTS);
  const words = useTexts(CHANGES);
  const format = useFormat();
  const { agentId, outcome, status, version, files, added, removed, attention } = workspace;
  const isDecided = outcome !== "open";
  return (
    <article className="relative flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-3 py-2 focus-within:border-violet hover:border-field">
      <StatusBadge
        status={isDecided ? outcome : status === "captured" ? "open" : status}
        label={isDecided || status === "captured" ? words.outcomes[outcome] : text.statuses[status]}
      />
      <Link
        to="/agents/$agentId"
        params={{ agentId }}
        search={{ tab: "changes" }}
        aria-label={text.reviewOf(agentId)}
        className="min-w-0 font-mono text-xs break-all outline-none after:absolute after:inset-0"
      >
        {agentId}
      </Link>
      {version > 0 && (
        <span className="flex items-baseline gap-2 text-xs text-text-2">
          {text.version(version)} · {words.fileCount(format.number(files))}
          <LineCounts added={added} removed={removed} />
        </span>
      )}
      {!isDecided && <OverlapBadge agentId={agentId} />}
      {attention.length > 0 && (
        <span className="inline-flex items-center gap-1 text-xs text-timeout">
          <TriangleAlert size={12} aria-hidden /> {words.attention}
        </span>
      )}
      <span className="ml-auto flex items-center gap-3 text-xs text-text-3">
        <code className="hidden font-mono break-all sm:inline">
          {visibleName(workspace.branch)}
        </code>
        <Ago at={workspace.capturedAt ?? workspace.createdAt} />
        <ArrowRight size={13} aria-hidden className="text-violet" />
      </span>
    </article>
  );
}

export function ChangeRows({ changes }: { readonly changes: readonly WireWorkspace[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {changes.map((workspace) => (
        <li key={workspace.workspaceId}>
          <ChangeRow workspace={workspace} />
        </li>
      ))}
    </ul>
  );
}
