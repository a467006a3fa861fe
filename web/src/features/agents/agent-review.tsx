import { useEffect } from "react";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { useFilters } from "../../ui/use-filters.ts";
import { useChange } from "../changes/change-data.ts";
import { preloadDiffs } from "../changes/diff/diff-pane.tsx";
import { Review } from "../changes/review.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { Changes } from "./changes.tsx";
import type { TranscriptState } from "./transcript/transcript.ts";

export type AgentReviewProps = { readonly agent: AgentDetail; readonly state: TranscriptState };

/** What the agent changed: the review of its worktree, or what its CLI reported if it has none. */
export function AgentReview({ agent, state }: AgentReviewProps) {
  const { agentId, workspaceId } = agent;
  const isIsolated = workspaceId !== undefined;
  useEffect(() => {
    if (isIsolated) preloadDiffs();
  }, [isIsolated]);
  const [filters, setFilters] = useFilters();
  const version = versionIn(filters["version"]);
  const change = useChange(workspaceId ?? agentId, version, isIsolated);
  if (!isIsolated) return <Changes agentId={agentId} state={state} />;
  if (change.data)
    return (
      <Review
        change={change.data}
        onVersion={(next) => setFilters({ version: next === undefined ? undefined : `v${next}` })}
      />
    );
  if (change.error) return <ErrorNote error={change.error} onRetry={() => void change.refetch()} />;
  return <Loading />;
}

/** `v2`, because the router would put quotes around a string of digits. */
function versionIn(text: string | undefined): number | undefined {
  const found = Number(text?.replace(/^v/, ""));
  return Number.isInteger(found) && found > 0 ? found : undefined;
}
