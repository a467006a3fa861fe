import { Check, X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { DECISION } from "./decision-texts.ts";
import type { DecisionInput } from "./use-decide.ts";

export type DecisionButtonsProps = {
  readonly approval: WireApproval;
  readonly isSending: boolean;
  /** The text is truncated, so it must not be approved yet. */
  readonly isClipped: boolean;
  /** This person has already voted; others have to approve. */
  readonly hasApproved: boolean;
  readonly size: "small" | "normal" | "large";
  readonly fill: boolean;
  readonly approve: (more?: Partial<DecisionInput>) => void;
  readonly reject: () => void;
};

const CALL_KINDS: readonly WireApproval["kind"][] = ["step", "unplanned_tool", "call"];

/** Loaded on demand. */
const ScopeMenu = lazy(async () => ({ default: (await import("./scope-menu.tsx")).ScopeMenu }));

type RowProps = {
  readonly fill: boolean;
  /** The buttons have texts of agents: on a phone one below the other. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
};

export function Row({ fill, isLong = false, children }: RowProps) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-center gap-2",
        !fill && "justify-end",
        fill &&
          (isLong ? "[&>button]:w-full [&>button:first-child]:order-last" : "[&>button]:flex-1"),
      )}
    >
      {children}
    </div>
  );
}

/** Buttons for drafts and held calls. */
export function YesNoButtons(props: DecisionButtonsProps) {
  const { approval, isSending, isClipped, hasApproved, size, fill, approve, reject } = props;
  const text = useTexts(DECISION);
  const common = useTexts(COMMON);
  const isCall = CALL_KINDS.includes(approval.kind);
  return (
    <Row fill={fill}>
      <Button
        look="reject"
        size={size}
        icon={<X size={14} aria-hidden />}
        onPress={reject}
        isDisabled={isSending}
      >
        {common.rejectMore}
      </Button>
      <Button
        look="approve"
        size={size}
        icon={<Check size={14} aria-hidden />}
        onPress={() => approve(isCall ? { scope: "once" } : {})}
        isPending={isSending}
        isDisabled={hasApproved || isClipped}
      >
        {isSending ? text.sending : hasApproved ? text.youApproved : common.approve}
      </Button>
      {isCall && !hasApproved && (
        <Suspense fallback={null}>
          <ScopeMenu {...props} />
        </Suspense>
      )}
    </Row>
  );
}
