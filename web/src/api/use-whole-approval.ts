import { useQuery } from "@tanstack/react-query";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import { ApiProblem, get } from "./http.ts";

export type WholeApproval = {
  /** Complete (not `clipped`) once the full text has been loaded. */
  readonly approval: WireApproval;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Live approvals carry truncated texts; this loads the full text for people who can decide. */
export function useWholeApproval(live: WireApproval): WholeApproval {
  const { approvalId, shownHash } = live;
  const isClipped = live.clipped === true;
  const { data, error, refetch } = useQuery({
    // The hash identifies the text, so the cached answer never becomes stale.
    queryKey: ["whole-approval", approvalId, shownHash],
    queryFn: ({ signal }) => readWhole(live, signal),
    enabled: isClipped,
    staleTime: "static",
  });
  return {
    approval: isClipped && data ? withTexts(live, data) : live,
    error: isClipped ? error : null,
    retry: () => void refetch(),
  };
}

async function readWhole(
  { approvalId, shownHash }: WireApproval,
  signal: AbortSignal,
): Promise<WireApproval> {
  const whole = await get("/api/approvals/{id}", { params: { id: approvalId }, signal });
  if (whole.shownHash === shownHash) return whole;
  throw new ApiProblem(409, "VERSION_CONFLICT", "It has changed while it was read.", null);
}

/** Takes only the texts: status and version of the live approval are newer. */
function withTexts(live: WireApproval, { title, shown }: WireApproval): WireApproval {
  const { clipped: _clipped, ...rest } = live;
  return { ...rest, title, shown };
}
