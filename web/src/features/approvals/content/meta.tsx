import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Ago, Countdown } from "../../../ui/times.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { APPROVALS } from "../texts.ts";
import { policyWords } from "./policy-words.ts";
import { numberIn } from "./shown.ts";

/** Requester, policy and deadline. */
export function ApprovalMeta({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(APPROVALS);
  const { list } = useTexts(COMMON);
  const nameOf = usePersonName();
  const { requester, policy, expiresAt, status, createdAt, agentId, votes } = approval;
  const draft = numberIn(approval.shown, "version");
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
      <Pair name={text.asked}>
        <Ago at={createdAt} />
      </Pair>
      {draft !== null && <Pair name={text.version}>v{draft}</Pair>}
      <Pair name={text.askedBy}>{nameOf(requester)}</Pair>
      {agentId !== null && (
        <Pair name={text.agent}>
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            className="font-mono text-violet hover:underline"
          >
            {agentId}
          </Link>
        </Pair>
      )}
      <Pair name={text.who}>{policyWords(policy, text)}</Pair>
      {policy.who === "quorum" && (
        <Pair name={text.votes}>
          {text.votesOf(votes.length, policy.count)}
          {votes.length > 0 && ` (${list(votes.map(({ by }) => nameOf(by)))})`}
        </Pair>
      )}
      {status === "pending" && (
        <Pair name={text.deadline}>
          {expiresAt === null ? text.noDeadline : <Countdown at={expiresAt} />}
        </Pair>
      )}
    </dl>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-2">
      <dt className="shrink-0 text-text-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
