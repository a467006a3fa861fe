import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Elapsed } from "../../ui/times.tsx";
import { AGENT_TILE } from "./agent-tile-texts.ts";

/** The tool an agent is using now, and for how long. */
export function CurrentTool({ agent }: { readonly agent: AgentCard }) {
  const text = useTexts(AGENT_TILE);
  const { currentTool, status } = agent;
  if (!currentTool || status !== "running") return null;
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-running" title={text.currentTool}>
      <span className="sr-only">{text.currentTool}</span>
      <span className="truncate">{currentTool.name}</span>
      {currentTool.startedAt && (
        <span className="shrink-0 text-text-3">
          <Elapsed from={currentTool.startedAt} to={null} />
        </span>
      )}
    </span>
  );
}
