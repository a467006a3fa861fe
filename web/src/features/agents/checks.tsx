import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { get } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { useApprovalTitle } from "../approvals/approval-title.ts";
import { KindIcon } from "../approvals/kind-icon.tsx";
import { TEXTS } from "./texts.ts";

const SHOWN = 20;

/** Approvals of the agent's calls, questions and unknown outcomes, newest first. */
export function Checks({ agentId }: { readonly agentId: string }) {
  const text = useTexts(TEXTS).checks;
  const { data } = useQuery({
    queryKey: ["approval", "of-agent", agentId],
    queryFn: ({ signal }) => get("/api/approvals", { query: { limit: SHOWN, agentId }, signal }),
  });
  const approvals = data?.approvals ?? [];
  if (approvals.length === 0) return null;
  const open = approvals.filter(({ status }) => status === "pending").length;
  return (
    <Card
      aria-labelledby="checks"
      className="flex flex-col gap-2 p-4"
      {...(open > 0 && { bar: "pending" as const })}
    >
      <h2 id="checks" className="font-semibold">
        {text.title}
      </h2>
      {open > 0 && <p className="text-xs text-pending">{text.open(open)}</p>}
      <ul className="flex flex-col divide-y divide-line/70">
        {approvals.map((approval) => (
          <CheckRow key={approval.approvalId} approval={approval} />
        ))}
      </ul>
    </Card>
  );
}

function CheckRow({ approval }: { readonly approval: WireApproval }) {
  const titleOf = useApprovalTitle();
  const { approvalKind, approvalStatus } = useTexts(COMMON);
  const { approvalId, kind, status, createdAt } = approval;
  return (
    <li>
      <Link
        to="/approvals/$approvalId"
        params={{ approvalId }}
        className="block py-2 hover:text-violet"
      >
        <span className="flex flex-wrap items-center gap-x-2 text-xs text-text-3">
          <KindIcon kind={kind} />
          {approvalKind[kind]}
          <Ago at={createdAt} className="ml-auto" />
        </span>
        <span className="line-clamp-2">{titleOf(approval)}</span>
        <StatusBadge status={status} label={approvalStatus[status]} />
      </Link>
    </li>
  );
}
