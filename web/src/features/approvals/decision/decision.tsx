import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useMe } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visible } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";
import { isTyping } from "../../../ui/is-typing.ts";
import { StatusIcon } from "../../../ui/status-badge.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { useApprovalTitle } from "../approval-title.ts";
import { policyWords } from "../content/policy-words.ts";
import { useMayDecide } from "../may-decide.ts";
import { APPROVALS } from "../texts.ts";
import { YesNoButtons } from "./decision-buttons.tsx";
import { DECISION } from "./decision-texts.ts";
import { type DecisionInput, useDecide } from "./use-decide.ts";

/** Loaded on demand: few decisions need these. */
const AnswerButtons = lazy(async () => ({
  default: (await import("./answer-buttons.tsx")).AnswerButtons,
}));
const OutcomeButtons = lazy(async () => ({
  default: (await import("./answer-buttons.tsx")).OutcomeButtons,
}));
const RejectDialog = lazy(async () => ({
  default: (await import("./reject-dialog.tsx")).RejectDialog,
}));

export type DecisionProps = {
  readonly approval: WireApproval;
  readonly size?: "small" | "normal" | "large";
  /** Buttons share the full width, for the bar of a phone. */
  readonly fill?: boolean;
  /** Enables the keys A and R. At most one per page, and only where the full content is shown. */
  readonly keys?: boolean;
  readonly onDecided?: (after: WireApproval) => void;
};

/**
 * The decision buttons of any approval. Place them beside the content, so that nothing is approved
 * unread.
 */
export function Decision(props: DecisionProps) {
  const { approval, size = "normal", fill = false, keys = false, onDecided } = props;
  const { isSending, outcome, send } = useDecide(approval, onDecided);
  const titleOf = useApprovalTitle();
  const [isRejecting, setRejecting] = useState(false);
  const me = useMe();
  // With a quorum, votes of others can follow ours, so prefer the newer state.
  const shown = outcome && outcome.version >= approval.version ? outcome : approval;
  const isOpen = shown.status === "pending";
  const mayDecide = useMayDecide()(approval);
  const hasApproved = shown.votes.some(({ by }) => by === me?.id);
  const isClipped = approval.clipped === true;
  const approve = (more: Partial<DecisionInput> = {}) => {
    if (!isClipped) void send({ decision: "approve", ...more });
  };
  const reject = () => setRejecting(true);
  const isPlain = approval.kind !== "question" && approval.kind !== "outcome";
  useDecisionKeys(keys && isOpen && mayDecide && !isSending && !isRejecting, {
    a: () => isPlain && !hasApproved && approve(),
    r: reject,
  });
  if (!isOpen) return <Decided approval={shown} />;
  if (!mayDecide) return <OnlyLooks approval={shown} />;
  const part = { approval: shown, isSending, isClipped, hasApproved, size, fill, approve, reject };
  return (
    <div data-tour="decide" className={cx("flex flex-col gap-2", fill && "w-full")}>
      <Votes approval={shown} />
      {isClipped && <NotWhole fill={fill} />}
      <Suspense fallback={null}>
        {approval.kind === "question" ? (
          <AnswerButtons {...part} />
        ) : approval.kind === "outcome" ? (
          <OutcomeButtons {...part} />
        ) : (
          <YesNoButtons {...part} />
        )}
      </Suspense>
      {isRejecting && (
        <Suspense fallback={null}>
          <RejectDialog
            kind={approval.kind}
            isOutsideTask={approval.executionId === null}
            subject={titleOf(approval)}
            isSending={isSending}
            onClose={() => setRejecting(false)}
            onSend={(decision) =>
              void send(decision).then((worked) => worked && setRejecting(false))
            }
          />
        </Suspense>
      )}
    </div>
  );
}

/** The decision: by whom, when and why. */
export function Decided({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(DECISION);
  const { approvalStatus, quoted } = useTexts(COMMON);
  const format = useFormat();
  const { status, decidedBy, decidedAt, reason, answer } = approval;
  const nameOf = usePersonName();
  const who = decidedBy === null ? text.somebody : nameOf(decidedBy);
  const reply = visible(answer ?? reason ?? "");
  const at = decidedAt ? format.dateTime(decidedAt) : "";
  return (
    <div role="status" className="flex min-w-0 flex-col gap-0.5 text-text-2">
      <p className="flex items-center gap-1.5">
        <StatusIcon status={status} />
        {status === "approved"
          ? text.approvedBy(who, at)
          : status === "rejected"
            ? text.rejectedBy(who, at)
            : text.closed(approvalStatus[status])}
      </p>
      {reply && <p className="line-clamp-3 text-text">{quoted(reply)}</p>}
    </div>
  );
}

/** Votes so far, where a quorum is needed. */
function Votes({ approval: { policy, votes } }: { readonly approval: WireApproval }) {
  const text = useTexts(DECISION);
  if (policy.who !== "quorum" || votes.length === 0) return null;
  return <p className="text-xs text-pending">{text.votes(votes.length, policy.count)}</p>;
}

function NotWhole({ fill }: { readonly fill: boolean }) {
  const text = useTexts(DECISION);
  return (
    <p role="status" className={cx("text-xs text-pending", !fill && "text-right")}>
      {text.notWhole}
    </p>
  );
}

function OnlyLooks({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(DECISION);
  const words = useTexts(APPROVALS);
  const isViewer = useMe()?.role === "viewer";
  return (
    <div className="flex flex-col gap-2">
      <Votes approval={approval} />
      <p className="text-text-2">
        {isViewer ? text.onlyLooks : text.notYours(policyWords(approval.policy, words))}
      </p>
    </div>
  );
}

type Keys = Readonly<Record<"a" | "r", () => void>>;

function useDecisionKeys(isOn: boolean, keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "a") keys.a();
    if (key !== "r") return;
    // The dialog takes the focus at once; keep this letter out of its field.
    event.preventDefault();
    keys.r();
  });
  useEffect(() => {
    if (!isOn) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [isOn]);
}
