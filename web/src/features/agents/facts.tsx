import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { useTaskOfGroup } from "../../live/tasks-by-group.ts";
import { Card } from "../../ui/card.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { useStopReason } from "./stop-reason.ts";
import { TEXTS } from "./texts.ts";

export function Facts({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).facts;
  const files = useTexts(TEXTS).files;
  const stopReason = useStopReason();
  const format = useFormat();
  const group = useLive(({ groups }) => groups.get(agent.groupId)?.description);
  const task = useTaskOfGroup(agent.groupId);
  return (
    <Card aria-labelledby="facts" className="p-4">
      <h2 id="facts" className="mb-2 font-semibold">
        {text.title}
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {task && (
          <Fact name={text.task}>
            <Link
              to="/tasks/$taskId"
              params={{ taskId: task.taskId }}
              className="text-violet hover:underline"
            >
              {visiblePreview(task.title ?? task.request.slice(0, 80))}
            </Link>
          </Fact>
        )}
        <Fact name={text.group}>
          <Link
            to="/groups/$groupId"
            params={{ groupId: agent.groupId }}
            className="text-violet hover:underline"
          >
            {group ?? agent.groupId}
          </Link>
        </Fact>
        {agent.stageIndex !== null && <Fact name={text.stage}>{agent.stageIndex + 1}</Fact>}
        <Fact name={text.model}>
          <Mono>{agent.model}</Mono>
        </Fact>
        <Fact name={text.runner}>{agent.runner}</Fact>
        <Fact name={text.access}>
          {agent.access === "read-only" ? text.readOnly : text.readWrite}
        </Fact>
        <Fact name={files.directory}>
          <Mono>{agent.workingDirectory}</Mono>
        </Fact>
        {agent.host && (
          <Fact name={agent.host.kind === "worker" ? text.worker : text.server}>
            <Link to="/workers" className="font-mono text-xs break-all text-violet hover:underline">
              {agent.host.name}
            </Link>
          </Fact>
        )}
        <Fact name={text.created}>{format.dateTime(agent.createdAt)}</Fact>
        {agent.startedAt && <Fact name={text.started}>{format.time(agent.startedAt)}</Fact>}
        {agent.promptSentAt && (
          <Fact name={text.promptSent}>{format.time(agent.promptSentAt)}</Fact>
        )}
        {agent.lastTool && (
          <Fact name={text.lastTool}>
            <LastTool tool={agent.lastTool} />
          </Fact>
        )}
        {agent.endedAt && <Fact name={text.ended}>{format.time(agent.endedAt)}</Fact>}
        <Fact name={text.timeout}>
          {agent.timeout_ms === null ? text.none : format.duration(agent.timeout_ms)}
        </Fact>
        {agent.stopReason && <Fact name={text.stopReason}>{stopReason(agent.stopReason)}</Fact>}
        <RunFacts agent={agent} />
      </dl>
    </Card>
  );
}

/** What the CLI and its process said. */
function RunFacts({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS).facts;
  const format = useFormat();
  const { progress, result } = agent;
  const { retries } = progress;
  return (
    <>
      {result?.exitCode !== undefined && (
        <Fact name={text.exit}>
          <Mono>{String(result.exitCode)}</Mono>
        </Fact>
      )}
      {progress.sessionId && (
        <Fact name={text.session}>
          <Mono>{progress.sessionId}</Mono>
        </Fact>
      )}
      {agent.resumedAgentId && (
        <Fact name={text.resumed}>
          <Link
            to="/agents/$agentId"
            params={{ agentId: agent.resumedAgentId }}
            className="font-mono text-xs break-all text-violet hover:underline"
          >
            {agent.resumedAgentId}
          </Link>
        </Fact>
      )}
      {retries !== undefined && retries.count > 0 && (
        <Fact name={text.retries}>
          {format.number(retries.count)}
          {retries.lastReason && (
            <span className="block text-xs text-text-3" dir="auto">
              {retries.lastReason}
            </span>
          )}
        </Fact>
      )}
      {progress.skippedLines > 0 && (
        <Fact name={text.skippedLines}>{format.number(progress.skippedLines)}</Fact>
      )}
    </>
  );
}

/** The beginning of the tool's output; the transcript has all of it. */
function LastTool({ tool }: { readonly tool: NonNullable<AgentDetail["lastTool"]> }) {
  const text = useTexts(TEXTS).facts;
  return (
    <>
      <Mono>{tool.name}</Mono>{" "}
      <span className={tool.ok ? "text-success" : "text-failed"}>
        {tool.ok ? text.toolWorked : text.toolFailed}
      </span>
      {tool.output && (
        <span
          className="mt-0.5 line-clamp-3 block font-mono text-xs break-all text-text-3"
          dir="auto"
        >
          {tool.output}
        </span>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 break-words text-text-2">{children}</dd>
    </div>
  );
}

function Mono({ children }: { readonly children: ReactNode }) {
  return <span className="font-mono text-xs break-all">{children}</span>;
}
