import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { ApiProblem, get, type InputOf, post } from "../../../api/http.ts";
import { useMe } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { DECISION } from "./decision-texts.ts";

export type DecisionInput = Omit<
  InputOf<"post", "/api/approvals/{id}/decision">["body"],
  "version"
>;

export type Decide = {
  readonly isSending: boolean;
  /** The approval after our decision, or after an earlier decision of another person. */
  readonly outcome: WireApproval | null;
  readonly send: (decision: DecisionInput) => Promise<boolean>;
};

/** Sends a decision. No optimistic update: the first decision wins, and only the daemon knows which. */
export function useDecide(
  approval: WireApproval,
  onDecided?: (after: WireApproval) => void,
): Decide {
  const text = useTexts(DECISION);
  const me = useMe();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<WireApproval | null>(null);
  const { approvalId, version } = approval;
  const params = { id: approvalId };

  const action = useAction(async (decision: DecisionInput) => {
    try {
      const after = await post("/api/approvals/{id}/decision", {
        params,
        body: { ...decision, version },
      });
      setOutcome(after);
      onDecided?.(after);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 409) throw error;
      const won = await get("/api/approvals/{id}", { params });
      if (won.status !== "approved" && won.status !== "rejected") throw error;
      setOutcome(won);
      // It was our own decision; only its response was lost.
      if (error.code === "OUTCOME_UNKNOWN" && won.decidedBy === me?.id) return onDecided?.(won);
      const verdict = won.status === "approved" ? text.approvedVerb : text.rejectedVerb;
      toast({
        kind: "info",
        title: text.late(won.decidedBy ?? text.somebody, verdict),
        detail: won.reason ?? text.lateDetail,
      });
    } finally {
      void queries.invalidateQueries({ queryKey: ["approval"] });
    }
  });
  return {
    isSending: action.isRunning,
    outcome: outcome?.approvalId === approvalId ? outcome : null,
    send: action.run,
  };
}
