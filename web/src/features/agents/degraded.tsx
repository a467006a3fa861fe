import { Unplug } from "lucide-react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { useTexts } from "../../i18n/texts.ts";
import { DEGRADED } from "./degraded-texts.ts";

type Props = { readonly agent: Pick<AgentCard, "degraded" | "runner" | "status"> };

/** Why the agent works without our MCP server, and what to do; undefined if it does not. */
function useDegraded({ degraded, runner, status }: Props["agent"]): string | undefined {
  const text = useTexts(DEGRADED);
  if (!degraded || status !== "running") return undefined;
  const hint = runner === "cursor" ? text.hint.cursor : text.hint.other;
  return `${text.reason[degraded.reason]} ${hint}`;
}

export function DegradedMark({ agent }: Props) {
  const text = useTexts(DEGRADED);
  const why = useDegraded(agent);
  if (why === undefined) return null;
  return (
    <span
      title={why}
      className="inline-flex shrink-0 items-center gap-1 rounded-full border border-timeout/60 px-1.5 py-px font-sans text-[11px] leading-4 whitespace-nowrap text-timeout"
    >
      <Unplug size={11} aria-hidden />
      {text.mark}
    </span>
  );
}

/** The same with the whole reason. */
export function DegradedNote({ agent }: Props) {
  const why = useDegraded(agent);
  if (why === undefined) return null;
  return (
    <p
      role="status"
      className="mb-4 flex gap-2.5 rounded-xl border border-timeout/50 bg-timeout/10 px-4 py-3"
    >
      <Unplug size={16} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
      <span className="min-w-0">{why}</span>
    </p>
  );
}
