import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireExecution } from "../../../../../src/contract/shapes/executions.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Countdown } from "../../../ui/times.tsx";
import { ApprovalContent } from "../../approvals/content/content.tsx";
import { numberIn } from "../../approvals/content/shown.ts";
import { Decision } from "../../approvals/decision/decision.tsx";
import { KindIcon } from "../../approvals/kind-icon.tsx";
import { TASK, type TaskPageWords } from "../detail/texts.ts";

export type HumanCheckProps = {
  readonly approval: WireApproval;
  readonly execution: WireExecution;
  readonly keys: boolean;
  readonly isDecidedInBar: boolean;
};

/** An approval the execution waits for, with the exact call and the decision buttons. */
export function HumanCheck({ approval, execution, keys, isDecidedInBar }: HumanCheckProps) {
  const text = useTexts(TASK);
  const isCall = approval.kind === "step" || approval.kind === "unplanned_tool";
  return (
    <div className="overflow-hidden rounded-xl border border-yours/50 bg-yours-back">
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
        <span className="text-pending">
          <KindIcon kind={approval.kind} />
        </span>
        <h3 className="font-bold">{titleOf(approval, text)}</h3>
        {approval.expiresAt !== null && (
          <span className="ml-auto text-xs text-text-2">
            {text.deadline} <Countdown at={approval.expiresAt} />
          </span>
        )}
      </div>
      <div className="flex flex-col gap-3 px-4 py-3">
        <ApprovalContent approval={approval} bare />
        <p className="text-xs text-text-2">
          {execution.agentId === null ? text.parked : isCall && text.held}
        </p>
        {!isDecidedInBar && <Decision approval={approval} keys={keys} />}
      </div>
    </div>
  );
}

function titleOf({ kind, shown }: WireApproval, text: TaskPageWords): string {
  switch (kind) {
    case "step": {
      const order = numberIn(shown["step"], "order");
      return order === null ? text.checkUnplanned : text.checkTitle(order);
    }
    case "unplanned_tool":
    case "call":
      return text.checkUnplanned;
    case "question":
      return text.checkQuestion;
    case "outcome":
      return text.checkOutcome;
    case "merge":
      return text.checkMerge;
    case "prompt":
      return text.promptCard;
    case "process":
      return text.stepsCard;
  }
}
