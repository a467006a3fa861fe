import { Link } from "@tanstack/react-router";
import { Crown, MessageSquareQuote, Timer, Wrench } from "lucide-react";
import { useMemo } from "react";
import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { type Section, useSection } from "../../../live/sections.ts";
import { stagesOf, type StageState } from "../../../live/stages.ts";
import { useLive } from "../../../live/store.ts";
import { cx } from "../../../ui/cx.ts";
import { StatusBadge, TONE_TEXT, toneOf } from "../../../ui/status-badge.tsx";
import { Elapsed } from "../../../ui/times.tsx";
import { CurrentTool } from "../../agents/current-tool.tsx";
import { useRoleName } from "../../roles/role-icon.tsx";
import { TEXTS } from "./texts.ts";

/** Above the agents: the stages of a sequential group, or the state of the orchestrator. */
export function GroupLead({ groupId }: { readonly groupId: string }) {
  const group = useLive((state) => state.groups.get(groupId));
  const section = useSection(groupId);
  if (group?.magentic) return <LedgerLine group={group} magentic={group.magentic} />;
  if (group?.stages) return <StageBars total={group.stages.total} section={section} />;
  return null;
}

const MAX_BARS = 8;

function StageBars({
  total,
  section,
}: {
  readonly total: number;
  readonly section: Section | undefined;
}) {
  const { andMore } = useTexts(COMMON);
  const stages = useMemo(
    () => stagesOf(section?.agentIds ?? [], total, useLive.getState().agents),
    [section, total],
  );
  const from = Math.max(
    0,
    Math.min(
      stages.findIndex(({ status }) => status === "running"),
      stages.length - MAX_BARS,
    ),
  );
  const shown = stages.slice(from, from + MAX_BARS);
  return (
    <ol className="grid auto-cols-fr gap-2 sm:grid-flow-col">
      {shown.map((stage) => (
        <StageBar key={stage.index} stage={stage} />
      ))}
      {stages.length > shown.length && (
        <li className="self-center text-xs text-text-3">{andMore(stages.length - shown.length)}</li>
      )}
    </ol>
  );
}

function StageBar({ stage }: { readonly stage: StageState }) {
  const { agentStatus } = useTexts(COMMON);
  const role = useRoleName(stage.roles[0] ?? "");
  const share = stage.total === 0 ? 0 : (stage.done / stage.total) * 100;
  return (
    <li className="min-w-0 rounded-lg border border-line bg-base/40 px-2.5 py-1.5">
      <p className="flex items-center gap-2">
        <span className="font-mono text-xs text-text-3">{stage.index + 1}</span>
        <span className="min-w-0 flex-1 truncate font-semibold">
          {role}
          {stage.roles.length > 1 && ` +${stage.roles.length - 1}`}
        </span>
        <span className="font-mono text-xs text-text-3">
          {stage.done}/{stage.total}
        </span>
        <StatusBadge status={stage.status} label={agentStatus[stage.status]} />
      </p>
      <div className="mt-1 h-[3px] overflow-hidden rounded-full bg-line">
        <div
          className={cx("h-full bg-current", TONE_TEXT[toneOf(stage.status)])}
          style={{ width: `${share}%` }}
        />
      </div>
    </li>
  );
}

type Magentic = NonNullable<WireGroup["magentic"]>;

function LedgerLine({
  group,
  magentic,
}: {
  readonly group: WireGroup;
  readonly magentic: Magentic;
}) {
  const text = useTexts(TEXTS);
  const name = useRoleName("orchestrator");
  const orchestrator = useLive((state) => state.agents.get(group.orchestratorAgentId ?? ""));
  const isOver = orchestrator !== undefined && orchestrator.endedAt !== null;
  const says = magentic.ledger.progress?.nextAction.reason ?? orchestrator?.lastMessage ?? "";
  const phases = phasesOf(magentic, isOver);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg border border-line bg-base/40 px-3 py-2">
      <Link
        to="/agents/$agentId"
        params={{ agentId: group.orchestratorAgentId ?? "" }}
        className="inline-flex items-center gap-2 font-semibold hover:text-violet"
      >
        <Crown size={15} aria-hidden className="text-bone" />
        {name}
        <span className="font-mono text-xs font-normal text-text-3">{orchestrator?.model}</span>
      </Link>
      {orchestrator && <OrchestratorFacts agent={orchestrator} />}
      <ol className="flex items-center gap-1">
        {phases.map(({ phase, status }, index) => (
          <li key={phase} className="flex items-center gap-1">
            {index > 0 && <span aria-hidden className="h-px w-3 bg-field" />}
            <StatusBadge status={status} label={text.phases[phase]} />
          </li>
        ))}
      </ol>
      {says && (
        <p className="flex min-w-0 flex-1 basis-64 items-center gap-1.5 text-[13px] text-text-2">
          <MessageSquareQuote size={14} aria-hidden className="shrink-0 text-text-3" />
          <span className="line-clamp-1" dir="auto">
            {says.split("\n").findLast((line) => line.trim() !== "")}
          </span>
        </p>
      )}
    </div>
  );
}

function OrchestratorFacts({ agent }: { readonly agent: AgentCard }) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const format = useFormat();
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 font-mono text-xs text-text-2">
      <span className="min-w-0 break-all text-text-3">{agent.agentId}</span>
      <StatusBadge status={agent.status} label={agentStatus[agent.status]} />
      <span className="inline-flex items-center gap-1">
        <Timer size={12} aria-hidden className="text-text-3" />
        <Elapsed from={agent.startedAt} to={agent.endedAt} />
      </span>
      <span className="inline-flex items-center gap-1" title={text.orchestratorTools}>
        <Wrench size={12} aria-hidden className="text-text-3" />
        <span className="sr-only">{text.orchestratorTools}</span>
        {format.number(agent.toolCallCount)}
      </span>
      <CurrentTool agent={agent} />
    </p>
  );
}

const PHASES = ["plan", "delegate", "evaluate", "replan"] as const;

/** Derived from the ledger and the number of iterations. */
function phasesOf({ ledger, iterations }: Magentic, isOver: boolean) {
  const reached = [
    ledger.task !== null || iterations > 0,
    iterations > 0,
    ledger.progress !== null,
    iterations > 1,
  ];
  const now = reached.indexOf(false);
  return PHASES.map((phase, index) => ({
    phase,
    status: reached[index] ? "completed" : index === now && !isOver ? "running" : "queued",
  }));
}
