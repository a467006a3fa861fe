import { Minus, PenLine, Plus } from "lucide-react";
import { useMemo } from "react";
import type { WireStep } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";
import { LONG_TEXT } from "../../../ui/long-text-texts.ts";
import { APPROVALS } from "../texts.ts";
import { compareSteps, type StepChange } from "./step-changes.ts";
import { StepLine } from "./steps-list.tsx";

export type StepsDiffProps = {
  readonly before: readonly WireStep[];
  readonly after: readonly WireStep[];
};

const LOOK = {
  same: "text-text-2",
  added: "bg-success/10",
  removed: "bg-danger/10",
  changed: "bg-timeout/10",
} as const;

/** Added, removed and changed steps. */
export function StepsDiff({ before, after }: StepsDiffProps) {
  const text = useTexts(LONG_TEXT);
  const changes = useMemo(() => compareSteps(before, after), [before, after]);
  return (
    <>
      {changes.every(({ kind }) => kind === "same") && <p className="text-text-3">{text.same}</p>}
      <ul className="flex flex-col gap-1">
        {changes.map((change, index) => (
          <li key={index} className={cx("flex gap-2 rounded-lg px-2 py-1", LOOK[change.kind])}>
            <Sign kind={change.kind} />
            <div className="min-w-0 flex-1">
              <Lines change={change} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sign({ kind }: { readonly kind: StepChange["kind"] }) {
  const text = useTexts(APPROVALS);
  const icon = { size: 13, "aria-hidden": true } as const;
  return (
    <span className="mt-1 w-4 shrink-0">
      {kind === "added" && <Plus {...icon} className="text-success" />}
      {kind === "removed" && <Minus {...icon} className="text-failed" />}
      {kind === "changed" && <PenLine {...icon} className="text-timeout" />}
      <span className="sr-only">{text[kind]}</span>
    </span>
  );
}

function Lines({ change }: { readonly change: StepChange }) {
  const text = useTexts(APPROVALS);
  switch (change.kind) {
    case "removed":
      return (
        <del className="text-failed">
          <StepLine step={change.before} />
        </del>
      );
    case "same":
    case "added":
      return <StepLine step={change.after} />;
    case "changed": {
      const { before, after } = change;
      const isChecked = after.requiresHumanCheck;
      return (
        <>
          <StepLine step={after} />
          {before.title !== after.title && (
            <p className="pl-8 text-xs">
              <del className="text-failed">{visibleName(before.title)}</del>
            </p>
          )}
          {before.requiresHumanCheck !== isChecked && (
            <p className={cx("pl-8 text-xs", isChecked ? "text-success" : "text-failed")}>
              {isChecked ? text.checkAdded : text.checkRemoved}
            </p>
          )}
        </>
      );
    }
  }
}
