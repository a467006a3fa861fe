import { useCallback } from "react";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import type { WireMe } from "../../../../src/contract/shapes/people.ts";
import { useMe } from "../../api/use-me.ts";

type Decidable = Pick<WireApproval, "policy" | "requester">;

/** Whether the policy lets this person decide; the daemon checks it again. */
export function mayDecide({ policy, requester }: Decidable, me: Pick<WireMe, "id" | "role">) {
  if (me.role === "viewer") return false;
  switch (policy.who) {
    case "anyone":
      return true;
    case "requester":
      return me.id === requester;
    case "not-requester":
      return me.id !== requester;
    case "approvers":
      return policy.users.includes(me.id);
    case "quorum":
      return policy.users === null || policy.users.includes(me.id);
  }
}

/** True while it is not known who this person is. */
export function useMayDecide(): (approval: Decidable) => boolean {
  const me = useMe();
  return useCallback((approval) => me === undefined || mayDecide(approval, me), [me]);
}

/** Whether the approval waits for this person: they may decide, and have not voted yet. */
export function useWaitsForMe(): (approval: WireApproval) => boolean {
  const me = useMe();
  return useCallback(
    (approval) =>
      me === undefined ||
      (mayDecide(approval, me) && approval.votes.every(({ by }) => by !== me.id)),
    [me],
  );
}
