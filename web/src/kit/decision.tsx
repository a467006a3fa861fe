import { Check, ChevronDown, CircleX, Repeat, ShieldCheck, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { WireApproval } from "../../../src/contract/task-shapes.ts";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { cx } from "../lib/cx.ts";
import { isTyping } from "../shell/use-shortcuts.ts";
import { Button, type ButtonProps, IconButton } from "./button.tsx";
import { DECISION } from "./decision-texts.ts";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Menu } from "./menu.tsx";
import { RejectDialog } from "./reject-dialog.tsx";
import { StatusIcon } from "./status-badge.tsx";
import { type Decide, type Said, useDecide } from "./use-decide.ts";

export type DecisionProps = {
  readonly approval: WireApproval;
  readonly size?: "small" | "normal" | "large";
  /** The buttons share the whole width: a bar at the foot of a phone. */
  readonly fill?: boolean;
  /** A and R decide here. At most one on a page, and only where the content is shown in full. */
  readonly keys?: boolean;
  readonly onDecided?: (after: WireApproval) => void;
};

/**
 * The buttons that decide any approval. Put them only beside the content: approving a plan one
 * cannot read is not approval.
 */
export function Decision({ approval, size = "normal", fill, keys, onDecided }: DecisionProps) {
  const decide = useDecide(approval, onDecided);
  const [isRejecting, setRejecting] = useState(false);
  const shown = decide.outcome ?? approval;
  const isOpen = shown.status === "pending";
  const canApproveByKey = approval.kind !== "question" && approval.kind !== "outcome";
  const approve = (more: Partial<Said> = {}) =>
    void decide.say({ decision: "approve", ...more });

  useDecisionKeys((keys ?? false) && isOpen && !decide.isSending && !isRejecting, {
    onApprove: canApproveByKey ? approve : undefined,
    onReject: () => setRejecting(true),
  });

  if (!isOpen) return <Decided approval={shown} />;
  const look = { size, fill: fill ?? false } as const;
  const reject = () => setRejecting(true);
  return (
    <div className={cx("flex flex-col gap-2", fill && "w-full")}>
      <VotesNote approval={shown} />
      {buttonsFor(shown, decide, { approve, reject, look })}
      {isRejecting && (
        <RejectDialog
          kind={approval.kind}
          subject={approval.title}
          isSending={decide.isSending}
          onClose={() => setRejecting(false)}
          onSend={(said) => void decide.say(said).then((worked) => worked && setRejecting(false))}
        />
      )}
    </div>
  );
}

type Look = { readonly size: "small" | "normal" | "large"; readonly fill: boolean };
type Deeds = {
  readonly approve: (more?: Partial<Said>) => void;
  readonly reject: () => void;
  readonly look: Look;
};
type Part = Deeds & { readonly approval: WireApproval; readonly decide: Decide };

function buttonsFor(approval: WireApproval, decide: Decide, deeds: Deeds) {
  const part = { approval, decide, ...deeds };
  switch (approval.kind) {
    case "prompt":
    case "process":
      return <YesNo {...part} />;
    case "step":
    case "unplanned_tool":
      return <YesNo {...part} withScope />;
    case "question":
      return <Answer {...part} />;
    case "outcome":
      return <Outcome {...part} />;
  }
}

function Row({ look, children }: { readonly look: Look; readonly children: React.ReactNode }) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-center gap-2",
        look.fill ? "[&>button]:flex-1" : "justify-end",
      )}
    >
      {children}
    </div>
  );
}

function Deed({ look, decide, ...rest }: ButtonProps & { readonly decide: Decide; readonly look: never } | (Omit<ButtonProps, "look"> & { readonly decide: Decide; readonly look: ButtonProps["look"] })) {
  return <Button {...rest} />;
}
