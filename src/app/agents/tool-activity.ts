import { truncate } from "../../base/truncate.ts";
import { iso, isoOrNull } from "../../contract/shapes/iso.ts";
import { currentToolOf, type AgentProgress } from "../../domain/agents/progress.ts";

/** A card shows a line or two; the transcript has the rest. */
const SHOWN_CHARS = 280;

/** The tool activity that dashboards show. null: no tool is running; it replaces an ended one. */
export function toolActivity(
  progress: Pick<AgentProgress, "promptSentAt" | "openTools" | "lastTool">,
) {
  const current = currentToolOf(progress);
  const { lastTool, promptSentAt } = progress;
  return {
    currentTool: current && { name: current.name, startedAt: isoOrNull(current.startedAt) },
    lastTool: lastTool && {
      name: lastTool.name,
      ok: lastTool.ok,
      output: truncate(lastTool.output, SHOWN_CHARS),
    },
    ...(promptSentAt !== null && { promptSentAt: iso(promptSentAt) }),
  };
}
