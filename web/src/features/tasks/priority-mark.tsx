import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { TASKS } from "./texts.ts";

const COLOUR: Record<WireTask["priority"], string> = {
  low: "bg-success",
  medium: "bg-generating",
  high: "bg-failed",
};

/** The 🟢 🟡 🔴 of the cards in Slack as a diamond with a text, so that colour is not the only sign. */
export function PriorityMark({
  priority,
  isNamed = false,
}: {
  readonly priority: WireTask["priority"];
  /** Shows the label before it; for screen readers only on a phone. */
  readonly isNamed?: boolean;
}) {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={isNamed ? "max-sm:sr-only" : "sr-only"}>{text.priority} </span>
      <span aria-hidden className={cx("size-2 rotate-45 rounded-[1px]", COLOUR[priority])} />
      {common.priority[priority]}
    </span>
  );
}
