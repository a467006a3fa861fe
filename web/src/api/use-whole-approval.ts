import { useQuery } from "@tanstack/react-query";
import type { WireApproval } from "../../../src/contract/task-shapes.ts";
import { ApiProblem, get } from "./http.ts";

export type WholeApproval = {
  /** All of it, and not `clipped`, as soon as it is here. */
  readonly approval: WireApproval;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Live approvals have the beginning of long texts only; who may decide here reads all of it. */
export function useWholeApproval(live: WireApproval): WholeApproval {
  const { approvalId, shownHash } = live;
  const isClipped = live.clipped === true;
  const { data, error, refetch } = useQuery({
    // The hash names the text: another text is read anew, the same one never again.
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
  const path = `/api/approvals/${encodeURIComponent(approvalId)}`;
  const whole = await get<WireApproval>(path, signal);
  if (whole.shownHash === shownHash) return whole;
  throw new ApiProblem(409, "VERSION_CONFLICT", "It has changed while it was read.", null);
}

/** Only the texts: how it stands, and the version a decision names, the live one knows better. */
function withTexts(live: WireApproval, { title, shown }: WireApproval): WireApproval {
  const { clipped: _clipped, ...rest } = live;
  return { ...rest, title, shown };
}
