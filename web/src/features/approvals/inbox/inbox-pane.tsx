import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useWholeApproval } from "../../../api/use-whole-approval.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Card } from "../../../ui/card.tsx";
import { ErrorNote, Loading } from "../../../ui/notes.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { useApprovalTitle } from "../approval-title.ts";
import { DraftContent } from "../content/draft-content.tsx";
import { ApprovalMeta } from "../content/meta.tsx";
import { Decision } from "../decision/decision.tsx";
import { TaskLink } from "../task-link.tsx";
import { APPROVALS } from "../texts.ts";

export type InboxPaneProps = {
  readonly approval: WireApproval;
  /** Enables the keys A and R. */
  readonly keys: boolean;
  readonly onDecided: (after: WireApproval) => void;
};

/** The selected approval with its full content and its buttons. */
export function InboxPane({ approval: live, keys, onDecided }: InboxPaneProps) {
  const text = useTexts(APPROVALS);
  const { approvalKind } = useTexts(COMMON);
  const { approval, error, retry } = useWholeApproval(live);
  const title = useApprovalTitle()(approval);
  const { approvalId, taskId } = approval;
  return (
    <Card bar="pending" className="flex max-h-[calc(100dvh-15rem)] flex-col">
      <div
        className="min-h-0 flex-1 overflow-y-auto p-5"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <div className="mb-3 flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <StatusBadge status="pending" label={approvalKind[approval.kind]} />
            <h2 className="mt-1.5 text-lg leading-snug font-bold">{title}</h2>
            {taskId !== null && <TaskLink taskId={taskId} />}
          </div>
          <Link
            to="/approvals/$approvalId"
            params={{ approvalId }}
            aria-label={text.openPage}
            title={text.openPage}
            className="rounded-lg p-2 text-text-2 hover:bg-raised hover:text-text"
          >
            <ExternalLink size={15} aria-hidden />
          </Link>
        </div>
        <ApprovalMeta approval={approval} />
        <hr className="my-4 border-line" />
        <DraftContent approval={approval} />
        {approval.clipped && !error && <Loading />}
      </div>
      <div className="flex flex-col gap-3 border-t border-line bg-raised/60 px-5 py-3">
        {approval.clipped && error && <ErrorNote error={error} onRetry={retry} />}
        <Decision approval={approval} keys={keys} onDecided={onDecided} />
      </div>
    </Card>
  );
}
