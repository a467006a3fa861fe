import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { Waterfall, type WaterfallRow } from "../../charts/waterfall.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { StatusIcon, toneOf } from "../../ui/status-badge.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useRoleName } from "../roles/role-icon.tsx";
import { TEXTS } from "./texts.ts";

export function Timeline({ agents }: { readonly agents: readonly AgentCard[] }) {
  const text = useTexts(TEXTS);
  const now = useNow();
  const rows = useMemo(
    () =>
      agents.map((agent): WaterfallRow => ({
        id: agent.agentId,
        label: <TimelineLabel agent={agent} />,
        tone: toneOf(agent.status),
        start: agent.startedAt === null ? null : Date.parse(agent.startedAt),
        end: agent.endedAt === null ? null : Date.parse(agent.endedAt),
      })),
    [agents],
  );
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby="timeline" className="mb-5">
      <h2 id="timeline" className="mb-2 text-[15px] font-bold">
        {text.timeline}
      </h2>
      <Card className="px-4 py-3">
        <Waterfall rows={rows} now={now} label={text.timeline} />
      </Card>
    </section>
  );
}

function TimelineLabel({ agent }: { readonly agent: AgentCard }) {
  const name = useRoleName(agent.role);
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId: agent.agentId }}
      className="flex min-w-0 items-center gap-2 hover:text-violet"
    >
      <span className="inline-flex w-4 shrink-0 justify-center">
        <StatusIcon status={agent.status} />
      </span>
      <span className="truncate">{name}</span>
      <span className="shrink-0 font-mono text-[11px] text-text-3">{agent.agentId.slice(-4)}</span>
    </Link>
  );
}
