import { Check, CircleDashed, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { cx } from "../../ui/cx.ts";
import { TEXTS } from "./texts.ts";

export type StepState = "waiting" | "now" | "done";

export function StepCard({
  at,
  state,
  children,
}: {
  readonly at: 1 | 2 | 3;
  readonly state: StepState;
  readonly children: ReactNode;
}) {
  const text = useTexts(TEXTS);
  return (
    <Card
      className={cx(
        "p-4",
        state === "now" && "border-running/50",
        state === "waiting" && "opacity-70",
      )}
    >
      <h2 className="mb-2 flex items-center gap-2 font-bold">
        {state === "done" && <Check size={16} aria-hidden className="text-success" />}
        {state === "now" && (
          <LoaderCircle size={16} aria-hidden className="animate-spin text-running" />
        )}
        {state === "waiting" && <CircleDashed size={16} aria-hidden className="text-queued" />}
        <span className="font-mono">
          {text.step(at, text.steps[at - 1] ?? "", state === "now")}
        </span>
      </h2>
      {children}
    </Card>
  );
}
