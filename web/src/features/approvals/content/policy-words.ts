import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { ApprovalWords } from "../texts.ts";

/** The policy as text. */
export function policyWords(policy: WireApproval["policy"], text: ApprovalWords): string {
  switch (policy.who) {
    case "anyone":
      return text.anyone;
    case "requester":
      return text.requester;
    case "not-requester":
      return text.notRequester;
    case "approvers":
      return text.approvers(policy.users.join("、"));
    case "quorum":
      return policy.users === null
        ? text.quorum(policy.count)
        : text.quorumOf(policy.count, policy.users.join("、"));
  }
}
