import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useApprovalTitle } from "../../features/approvals/approval-title.ts";
import { Decision } from "../../features/approvals/decision/decision.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { Card } from "../../ui/card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { ApprovalGist, gistOf } from "./approval-gist.tsx";

/** A pending approval. It can be decided here only if its full content is shown. */
export function AttentionCard({ approval }: { readonly approval: WireApproval }) {
  const common = useTexts(COMMON);
  const titleOf = useApprovalTitle();
  const task = useLive(({ tasks }) => tasks.get(approval.taskId ?? ""));
  const isDraft = approval.kind === "prompt" || approval.kind === "process";
  const version = isDraft ? approval.shown["version"] : undefined;
  const kind = common.approvalKind[approval.kind];
  const { isWhole } = gistOf(approval);
  return (
    <Card bar="pending" className="flex h-full flex-col gap-2 py-3 pr-3 pl-4">
      <div className="flex items-center justify-between gap-2">
        <StatusBadge
          status="pending"
          label={typeof version === "number" ? `${kind} v${version}` : kind}
        />
        <Ago at={approval.createdAt} className="text-xs text-text-3" />
      </div>
      <h3 className="line-clamp-2 font-semibold" dir="auto">
        {isDraft && task?.title ? visiblePreview(task.title) : titleOf(approval)}
      </h3>
      <div className="min-h-0 flex-1">
        <ApprovalGist approval={approval} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to="/approvals/$approvalId"
          params={{ approvalId: approval.approvalId }}
          className="inline-flex min-h-8 items-center gap-1 text-violet hover:underline"
        >
          {isWhole ? common.open : common.seeAll}
          <ArrowRight size={13} aria-hidden />
        </Link>
        {isWhole && <Decision approval={approval} />}
      </div>
    </Card>
  );
}
