import { useState } from "react";
import { useWorkspaces } from "../features/changes/change-data.ts";
import { LISTS } from "../features/changes/list-texts.ts";
import { DiskUse } from "../features/changes/lists/disk-use.tsx";
import { WorkspaceRow } from "../features/changes/lists/workspace-row.tsx";
import { useTexts } from "../i18n/texts.ts";
import { LoadMore } from "../ui/load-more.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Segments } from "../ui/segments.tsx";
import { useFilters } from "../ui/use-filters.ts";

const OUTCOMES = ["all", "open", "merged", "discarded"] as const;
const PAGE = 100;
const MAX = 500;

export function Page() {
  const text = useTexts(LISTS);
  const [filters, setFilters] = useFilters();
  const [limit, setLimit] = useState(PAGE);
  const outcome = OUTCOMES.find((id) => id === filters["outcome"]) ?? "all";
  const read = useWorkspaces({ limit, ...(outcome !== "all" && { outcome }) });
  const { data } = read;
  return (
    <>
      <PageHead title={text.workspaces} note={text.workspacesNote} />
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {data && (
        <div className="flex flex-col gap-3">
          <DiskUse used={data.diskBytes} limit={data.maxBytes} />
          <Segments
            label={text.filter}
            value={outcome}
            options={OUTCOMES.map((id) => ({
              id,
              label: text.filters[id],
              count: id === "open" ? data.openChanges : undefined,
            }))}
            onChange={(id) => setFilters({ outcome: id === "all" ? undefined : id })}
          />
          {data.workspaces.length === 0 ? (
            <EmptyState title={text.noWorkspaces}>{text.noWorkspacesBody}</EmptyState>
          ) : (
            <ul className="flex flex-col gap-2">
              {data.workspaces.map((workspace) => (
                <li key={workspace.workspaceId}>
                  <WorkspaceRow workspace={workspace} />
                </li>
              ))}
            </ul>
          )}
          <LoadMore
            hasMore={data.nextCursor !== null && limit < MAX}
            isLoading={read.isFetching}
            onMore={() => setLimit(Math.min(MAX, limit + PAGE))}
          />
        </div>
      )}
    </>
  );
}
