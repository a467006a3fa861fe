import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { stagesOf } from "../../../live/stages.ts";
import { cx } from "../../../ui/cx.ts";
import { StatusBadge, TONE_TEXT, toneOf } from "../../../ui/status-badge.tsx";
import { TEXTS } from "../texts.ts";

export type StageListProps = { readonly total: number; readonly agents: readonly AgentCard[] };

/** Stages as a list, for graphs too large to draw. */
export function StageList({ total, agents }: StageListProps) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const stages = stagesOf([...byId.keys()], total, byId);
  return (
    <ol
      tabIndex={0}
      aria-label={text.graph}
      className="max-h-80 overflow-y-auto rounded-xl border border-line bg-surface px-3"
    >
      {stages.map((stage) => (
        <li
          key={stage.index}
          className="flex items-center gap-3 border-b border-line/60 py-1.5 last:border-0"
        >
          <span className="w-24 shrink-0 font-semibold">{text.stage(stage.index + 1)}</span>
          <span className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-line">
            <span
              className={cx("block h-full bg-current", TONE_TEXT[toneOf(stage.status)])}
              style={{ width: `${stage.total === 0 ? 0 : (stage.done / stage.total) * 100}%` }}
            />
          </span>
          <span className="font-mono text-xs text-text-2">
            {stage.done}/{stage.total}
          </span>
          <StatusBadge status={stage.status} label={agentStatus[stage.status]} />
        </li>
      ))}
    </ol>
  );
}
