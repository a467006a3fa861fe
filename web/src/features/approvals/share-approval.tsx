import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { ShareMenu } from "../../ui/share-menu.tsx";
import { decisionCalls } from "./share-calls.ts";

const TEXTS = defineTexts({
  ja: { names: { approve: "承認", answer: "回答", reject: "却下" }, reason: "理由" },
  en: {
    names: { approve: "the approval", answer: "the answer", reject: "the rejection" },
    reason: "reason",
  },
});

export function ShareApproval({ approval }: { readonly approval: WireApproval }) {
  const { names, reason } = useTexts(TEXTS);
  const { approvalId, status, kind } = approval;
  const isQuestion = kind === "question" || kind === "outcome";
  return (
    <ShareMenu
      path={`/approvals/${approvalId}`}
      calls={(curl) =>
        status === "pending"
          ? [
              ...decisionCalls(approval, "approve", { curl, reason }),
              ...(isQuestion ? [] : decisionCalls(approval, "reject", { curl, reason })),
            ]
          : []
      }
      names={{ ...names, approve: isQuestion ? names.answer : names.approve }}
      size="small"
    />
  );
}
