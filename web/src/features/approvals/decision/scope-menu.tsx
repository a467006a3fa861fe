import { ChevronDown, ShieldCheck } from "lucide-react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import type { DecisionButtonsProps } from "./decision-buttons.tsx";
import { DECISION } from "./decision-texts.ts";

type Words = ReturnType<typeof useTexts<(typeof DECISION)["ja"]>>;

function labelOf(kind: WireApproval["kind"], text: Words): string {
  if (kind === "step") return text.approveAny;
  return kind === "call" ? text.approveAnyAgent : text.approveAnyTool;
}

/** Approves calls with any arguments, not only this one. */
export function ScopeMenu(props: DecisionButtonsProps) {
  const { approval, isSending, isClipped, size, approve } = props;
  const text = useTexts(DECISION);
  return (
    <Menu
      label={text.approveMore}
      trigger={
        <IconButton
          label={text.approveMore}
          size={size}
          look="plain"
          isDisabled={isSending || isClipped}
          className="!flex-none"
        >
          <ChevronDown size={14} aria-hidden />
        </IconButton>
      }
      actions={[
        {
          id: "any",
          label: labelOf(approval.kind, text),
          icon: <ShieldCheck size={14} aria-hidden />,
          run: () => approve({ scope: "any_arguments" }),
        },
      ]}
    />
  );
}
