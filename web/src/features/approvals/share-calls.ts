import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { asMcpCall } from "../../text/as-curl.ts";
import type { AsCurl, SharedCall } from "../../ui/share-menu.tsx";

type From = { readonly curl: AsCurl; readonly reason: string };
type Asked = Pick<WireApproval, "approvalId" | "version" | "kind" | "choices">;

/** A decision over REST and over MCP, for exactly the version that the page shows. */
export function decisionCalls(
  approval: Asked,
  decision: "approve" | "reject",
  { curl, reason }: From,
): readonly SharedCall[] {
  const { approvalId, version } = approval;
  const body = {
    decision,
    version,
    ...(decision === "approve" ? answerOf(approval) : { reason }),
  };
  return [
    {
      door: "curl",
      id: decision,
      text: curl({ method: "POST", path: `/api/approvals/${approvalId}/decision`, body }),
    },
    {
      door: "mcp",
      id: decision,
      text: asMcpCall("decide_approval", { approvalId, ...body }),
    },
  ];
}

/** Questions need an answer; the first choice stands for it. */
function answerOf({ kind, choices }: Asked): { readonly answer?: string } {
  if (kind === "question") return { answer: choices[0] ?? "…" };
  return kind === "outcome" ? { answer: "done" } : {};
}
