import { ScanSearch } from "lucide-react";
import type { WireStep } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { APPROVALS } from "../texts.ts";

export function StepsList({ steps }: { readonly steps: readonly WireStep[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {steps.map((step) => (
        <li key={step.stepId} className="rounded-lg px-2 py-1 odd:bg-raised/40">
          <StepLine step={step} />
        </li>
      ))}
    </ol>
  );
}

/** `1. title — tool 🔍`, as on the card in Slack. */
export function StepLine({ step }: { readonly step: WireStep }) {
  return (
    <span className="flex min-w-0 items-baseline gap-x-2">
      <span className="min-w-6 shrink-0 text-right font-mono text-xs text-text-3">
        {step.order}.
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-semibold">{visibleName(step.title)}</span>
        <ToolName server={step.server} tool={step.tool} />
        {step.requiresHumanCheck && <CheckMark />}
      </span>
    </span>
  );
}

export function ToolName({
  server,
  tool,
}: {
  readonly server: string | null;
  readonly tool: string;
}) {
  const text = useTexts(APPROVALS);
  const role = server === null && tool.startsWith("agent:") ? tool.slice("agent:".length) : null;
  return role === null ? (
    <code className="font-mono text-xs text-text-2">
      {visibleName(server === null ? tool : `${server}/${tool}`)}
    </code>
  ) : (
    <span className="text-xs text-text-2">{text.handedTo(visibleName(role))}</span>
  );
}

export function CheckMark() {
  const text = useTexts(APPROVALS);
  return (
    <span className="inline-flex items-center gap-1 self-center rounded-full border border-pending/40 bg-pending/10 px-1.5 text-[11px] text-pending">
      <ScanSearch size={11} aria-hidden />
      {text.checked}
    </span>
  );
}
