import { Link } from "@tanstack/react-router";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { ProgressRing } from "../../charts/ring.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { countStatuses } from "../../live/sections.ts";
import { useLive } from "../../live/store.ts";
import { MonoId } from "../../ui/mono-id.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { GroupActions } from "./group-actions.tsx";
import type { GroupDetail } from "./group-data.ts";
import { useGroupTitle } from "./group-title.ts";
import { TEXTS as LIST } from "./list-texts.ts";
import { MODE_ICON } from "./overview/group-head.tsx";
import { useTaskOf } from "./task-of-group.ts";
import { TEXTS } from "./texts.ts";

type GroupHeaderProps = {
  readonly group: GroupDetail;
  readonly agents: readonly AgentCard[];
  readonly childAgents: readonly AgentCard[];
};

export function GroupHeader({ group, agents, childAgents }: GroupHeaderProps) {
  const text = useTexts(TEXTS);
  const { groupMode } = useTexts(COMMON);
  const format = useFormat();
  const task = useTaskOf([...useLive((state) => state.groups).values()])(group);
  const title = useGroupTitle(group, task, agents[0]?.role ?? "");
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
            {title}
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
          <StatusLine agents={[...agents, ...childAgents]} end={endOf(group, task)} />
        </div>
      </div>
      <GroupActions group={group} agents={agents} childAgents={childAgents} />
    </header>
  );
}

function StatusLine({
  agents,
  end,
}: {
  readonly agents: readonly AgentCard[];
  readonly end: "deleted" | "finished" | null;
}) {
  const text = useTexts(LIST);
  const { agentStatus } = useTexts(COMMON);
  const counts = countStatuses(agents);
  return (
    <p className="mt-1.5 flex flex-wrap gap-1.5">
      {end && <StatusBadge status="cancelled" label={text[end]} />}
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

/** The group of a task is not deleted by a person; it ends with the task. */
function endOf(group: GroupDetail, task: unknown): "deleted" | "finished" | null {
  if (group.deletedAt === null) return null;
  return task === undefined ? "deleted" : "finished";
}

function labelOf(labels: Readonly<Record<string, string>>, status: string): string {
  return labels[status] ?? status;
}
