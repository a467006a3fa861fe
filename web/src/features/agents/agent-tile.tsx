import { Link } from "@tanstack/react-router";
import { Coins, Timer, Wrench } from "lucide-react";
import { memo } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { SparkBars } from "../../charts/sparkline.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { activityOf } from "../../live/activity.ts";
import { useLive } from "../../live/store.ts";
import { tokensOf } from "../../live/tokens.ts";
import { cx } from "../../ui/cx.ts";
import { StatusBadge, TONE_TEXT, toneOf } from "../../ui/status-badge.tsx";
import { Elapsed } from "../../ui/times.tsx";
import { useNow } from "../../ui/use-now.ts";
import { OverlapBadge } from "../changes/overlaps/overlap-badge.tsx";
import { RoleIcon, useRoleName } from "../roles/role-icon.tsx";
import { usePauseOf } from "../roles/runner-problems.tsx";
import { AGENT_TILE } from "./agent-tile-texts.ts";
import { CurrentTool } from "./current-tool.tsx";
import { DegradedMark } from "./degraded.tsx";
import { RehearsalMark } from "./rehearsal-mark.tsx";

/** An agent on the dashboard; renders only when this agent changes. */
export const AgentTile = memo(function AgentTile({ agentId }: { readonly agentId: string }) {
  const agent = useLive((state) => state.agents.get(agentId));
  return agent ? <AgentTileFor agent={agent} /> : null;
});

export function AgentTileFor({ agent }: { readonly agent: AgentCard }) {
  const text = useTexts(AGENT_TILE);
  const { agentStatus } = useTexts(COMMON);
  const format = useFormat();
  const name = useRoleName(agent.role);
  const tone = TONE_TEXT[toneOf(agent.status)];
  return (
    <article
      className={cx(
        "relative flex min-w-0 flex-col gap-1.5 overflow-hidden rounded-xl border border-line bg-raised/50 p-3",
        "hover:border-field focus-within:border-violet",
      )}
    >
      <span
        aria-hidden
        className={cx(
          "absolute inset-x-0 top-0 h-[2px] bg-linear-to-r from-current to-transparent",
          tone,
        )}
      />
      <div className="flex items-start gap-2.5">
        <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-raised text-text-2">
          <RoleIcon role={agent.role} />
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex items-center justify-between gap-2">
            <Link
              to="/agents/$agentId"
              params={{ agentId: agent.agentId }}
              className="truncate font-semibold outline-none after:absolute after:inset-0"
            >
              {name}
              <span className="sr-only"> {agent.agentId}</span>
            </Link>
            <StatusBadge status={agent.status} label={agentStatus[agent.status]} />
          </div>
          <p aria-hidden className="font-mono text-[11px] leading-4 break-all text-text-3">
            {agent.agentId}
          </p>
        </div>
      </div>
      <p className="line-clamp-2 min-h-[2.9em] text-[13px] leading-[1.45] text-text-2" dir="auto">
        {tailOf(agent.lastMessage) || <EmptyWord agent={agent} />}
      </p>
      <OverlapBadge agentId={agent.agentId} />
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-text-3">
        {agent.runner === "rehearsal" && <RehearsalMark />}
        <DegradedMark agent={agent} />
        <span className="truncate">
          {agent.stageIndex !== null && <>{text.stage(agent.stageIndex + 1)} · </>}
          <span className="font-mono">{agent.model}</span>
          {agent.runner !== "rehearsal" && <> · {agent.runner}</>}
        </span>
      </p>
      <div className="flex items-end justify-between gap-2 text-xs">
        <p className="flex min-w-0 items-center gap-3 font-mono text-text-2">
          <span className="inline-flex items-center gap-1" title={text.elapsed}>
            <Timer size={12} aria-hidden className="text-text-3" />
            <span className="sr-only">{text.elapsed}</span>
            <Elapsed from={agent.startedAt} to={agent.endedAt} />
          </span>
          <span className="inline-flex shrink-0 items-center gap-1" title={text.tools}>
            <Wrench size={12} aria-hidden className="text-text-3" />
            <span className="sr-only">{text.tools}</span>
            {format.number(agent.toolCallCount)}
          </span>
          <CurrentTool agent={agent} />
          <Spent agent={agent} />
        </p>
        {agent.status === "running" && <Activity agentId={agent.agentId} className={tone} />}
      </div>
    </article>
  );
}

/** Tokens if the CLI reports them, and their cost if a price is configured. */
function Spent({ agent: { usage, spent } }: { readonly agent: AgentCard }) {
  const text = useTexts(AGENT_TILE);
  const format = useFormat();
  const tokens = usage ? tokensOf(usage) : 0;
  return (
    <>
      {tokens > 0 && (
        <span className="inline-flex items-center gap-1" title={text.tokens}>
          <Coins size={12} aria-hidden className="text-text-3" />
          <span className="sr-only">{text.tokens}</span>
          {format.compact(tokens)}
        </span>
      )}
      {spent && (
        <span title={text.cost}>
          <span className="sr-only">{text.cost}</span>
          {format.money(spent.cost, spent.currency)}
        </span>
      )}
    </>
  );
}

function EmptyWord({ agent }: { readonly agent: AgentCard }) {
  const text = useTexts(AGENT_TILE);
  const pause = usePauseOf(agent.runner);
  if (agent.status !== "queued") return text.nothingYet;
  if (agent.waitingFor === "needs key") return text.waitingKey;
  if (pause !== undefined) return pause;
  if (agent.waitingFor !== undefined) return agent.waitingFor;
  return agent.stageIndex === null ? text.waiting : text.waitingStage;
}

const ENOUGH_CHARS = 12;

/** Shows the end of the last message, which is the newest part. */
function tailOf(message: string): string {
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  return last.length >= ENOUGH_CHARS ? last : lines.slice(-2).join(" ");
}

function Activity({
  agentId,
  className,
}: {
  readonly agentId: string;
  readonly className: string;
}) {
  const now = useNow();
  return <SparkBars values={activityOf(agentId, now)} className={className} />;
}
