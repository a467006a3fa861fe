import { Link, useParams } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import type { AgentCard, WireGroup } from "../../../src/contract/dashboard-shapes.ts";
import { visiblePreview } from "../../../src/contract/visible-text.ts";
import { ApiProblem } from "../api/http.ts";
import { ProgressRing } from "../charts/ring.tsx";
import { Waterfall, type WaterfallRow } from "../charts/waterfall.tsx";
import { AgentTile, AgentTileFor } from "../features/agents/agent-tile.tsx";
import { GroupGraph } from "../features/groups/graph/group-graph.tsx";
import { GroupActions } from "../features/groups/group-actions.tsx";
import {
  type GroupDetail,
  useChildGroups,
  useGroup,
  useGroupAgents,
} from "../features/groups/group-data.ts";
import { Ledger } from "../features/groups/ledger.tsx";
import { MODE_ICON } from "../features/groups/overview/group-head.tsx";
import { TEXTS } from "../features/groups/texts.ts";
import { TokensTable } from "../features/groups/tokens-table.tsx";
import { useRoleName } from "../features/roles/role-icon.tsx";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { countStatuses } from "../live/sections.ts";
import { useLive } from "../live/store.ts";
import { useTaskOfGroup } from "../live/tasks-by-group.ts";
import { Card } from "../ui/card.tsx";
import { MonoId } from "../ui/mono-id.tsx";
import { EmptyState, Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { StatusBadge, StatusIcon, toneOf } from "../ui/status-badge.tsx";
import { useNow } from "../ui/use-now.ts";
import { useWidth } from "../ui/use-width.ts";
import { WindowList } from "../ui/virtual-list.tsx";

export function Page() {
  const { groupId = "" } = useParams({ strict: false });
  const text = useTexts(TEXTS);
  const { group, error, refetch } = useGroup(groupId);
  if (group) return <GroupPage key={groupId} group={group} />;
  if (!error) return <Loading />;
  return error instanceof ApiProblem && error.status === 404 ? (
    <PageHead title={text.notHere} />
  ) : (
    <PageError error={error} reset={() => void refetch()} />
  );
}

function GroupPage({ group }: { readonly group: GroupDetail }) {
  const agents = useGroupAgents(group);
  const children = useChildGroups(group.groupId);
  const childAgents = useAgentsOf(children);
  return (
    <>
      <Head group={group} agents={agents} childAgents={childAgents} />
      {group.magentic && <Ledger magentic={group.magentic} />}
      <GroupGraph group={group} agents={agents} subgroups={children} childAgents={childAgents} />
      <Timeline agents={[...agents, ...childAgents]} />
      <ChildGroups groups={children} />
      <Members
        agents={[...agents, ...childAgents]}
        total={Math.max(group.totalAgents, agents.length) + childAgents.length}
      />
      <TokensTable rows={group.usage} />
    </>
  );
}

function useAgentsOf(groups: readonly WireGroup[]): readonly AgentCard[] {
  const now = useNow();
  return useMemo(() => {
    const ids = new Set(groups.map(({ groupId }) => groupId));
    if (ids.size === 0) return [];
    return [...useLive.getState().agents.values()]
      .filter(({ groupId }) => ids.has(groupId))
      .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
    // `now` triggers the next sample.
  }, [groups, now]);
}

type HeadProps = {
  readonly group: GroupDetail;
  readonly agents: readonly AgentCard[];
  readonly childAgents: readonly AgentCard[];
};

function Head({ group, agents, childAgents }: HeadProps) {
  const text = useTexts(TEXTS);
  const { groupMode } = useTexts(COMMON);
  const format = useFormat();
  const task = useTaskOfGroup(group.groupId);
  const workers = group.mode === "magentic" ? childAgents : agents;
  const { queued, running } = countStatuses(workers);
  const done = workers.length - queued - running;
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-3">
      <div className="flex min-w-0 items-center gap-3">
        <ProgressRing
          done={done}
          total={workers.length}
          size={48}
          label={text.progress(done, workers.length)}
        >
          {MODE_ICON[group.mode]}
        </ProgressRing>
        <div className="min-w-0">
          <h1 className="text-xl font-bold" dir="auto">
            {visiblePreview(task?.title ?? group.description)}
          </h1>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-text-2">
            <span className="text-bone">{groupMode[group.mode]}</span>
            <MonoId id={group.groupId} copy />
            <span className="font-mono">{text.done(done, workers.length)}</span>
            {group.magentic && (
              <span className="font-mono">
                {text.iterations(group.magentic.iterations, group.magentic.maxIterations)}
              </span>
            )}
            {group.magentic && group.magentic.stalls > 0 && (
              <span className="font-mono text-timeout">{text.stalls(group.magentic.stalls)}</span>
            )}
            <span>
              {text.created} {format.dateTime(group.createdAt)}
            </span>
            {group.parentGroupId && (
              <Link
                to="/groups/$groupId"
                params={{ groupId: group.parentGroupId }}
                className="text-violet hover:underline"
              >
                {text.parent}
              </Link>
            )}
            {task && (
              <Link
                to="/tasks/$taskId"
                params={{ taskId: task.taskId }}
                className="text-violet hover:underline"
              >
                {text.task}
              </Link>
            )}
          </div>
          <StatusLine agents={[...agents, ...childAgents]} isDeleted={group.deletedAt !== null} />
        </div>
      </div>
      <GroupActions group={group} agents={agents} childAgents={childAgents} />
    </header>
  );
}

function StatusLine({
  agents,
  isDeleted,
}: {
  readonly agents: readonly AgentCard[];
  readonly isDeleted: boolean;
}) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const counts = countStatuses(agents);
  return (
    <p className="mt-1.5 flex flex-wrap gap-1.5">
      {isDeleted && <StatusBadge status="cancelled" label={text.deleted} />}
      {Object.entries(counts).map(
        ([status, count]) =>
          count > 0 && (
            <StatusBadge
              key={status}
              status={status}
              label={`${labelOf(agentStatus, status)} ${count}`}
            />
          ),
      )}
    </p>
  );
}

function labelOf(labels: Readonly<Record<string, string>>, status: string): string {
  return labels[status] ?? status;
}

function Timeline({ agents }: { readonly agents: readonly AgentCard[] }) {
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

function ChildGroups({ groups }: { readonly groups: readonly WireGroup[] }) {
  const text = useTexts(TEXTS);
  const { groupMode } = useTexts(COMMON);
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="children" className="mb-5">
      <h2 id="children" className="mb-2 text-[15px] font-bold">
        {text.children} <span className="font-mono text-sm text-text-3">{groups.length}</span>
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {groups.map((group) => (
          <li key={group.groupId}>
            <Link
              to="/groups/$groupId"
              params={{ groupId: group.groupId }}
              className="flex items-center gap-3 rounded-xl border border-line bg-surface px-3 py-2 hover:border-violet"
            >
              <span className="text-text-2">{MODE_ICON[group.mode]}</span>
              <span className="min-w-0">
                <span className="block truncate font-semibold">{group.description}</span>
                <span className="block text-xs text-text-3">
                  {groupMode[group.mode]} <span className="font-mono">{group.groupId}</span>
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LEAST_TILE_PX = 262;
const MAX_COLUMNS = 4;

function Members({
  agents,
  total,
}: {
  readonly agents: readonly AgentCard[];
  readonly total: number;
}) {
  const text = useTexts(TEXTS);
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(width / LEAST_TILE_PX)));
  const rows = Math.ceil(agents.length / columns);
  return (
    <section aria-labelledby="members" className="mb-5">
      <h2 id="members" className="mb-2 text-[15px] font-bold">
        {text.agents} <span className="font-mono text-sm text-text-3">{total}</span>
      </h2>
      {agents.length < total && (
        <p className="mb-2 text-xs text-text-3">{text.showing(agents.length, total)}</p>
      )}
      {agents.length === 0 && <EmptyState title={text.noAgents} />}
      <div ref={place}>
        {width > 0 && (
          <WindowList
            count={rows}
            keyOf={(index) => agents[index * columns]?.agentId ?? index}
            estimate={() => 168}
            render={(index) => (
              <div
                className="grid gap-2.5 pb-2.5"
                style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
              >
                {agents.slice(index * columns, (index + 1) * columns).map((agent) => (
                  <Member key={agent.agentId} agent={agent} />
                ))}
              </div>
            )}
          />
        )}
      </div>
    </section>
  );
}

/** Live values if the agent is in the live state, otherwise the loaded ones. */
function Member({ agent }: { readonly agent: AgentCard }) {
  const isInView = useLive((state) => state.agents.has(agent.agentId));
  return isInView ? <AgentTile agentId={agent.agentId} /> : <AgentTileFor agent={agent} />;
}
