import { Link, useParams } from "@tanstack/react-router";
import { Timer, Wrench } from "lucide-react";
import { useEffect } from "react";
import { ApiProblem } from "../api/http.ts";
import { useMayOperate } from "../api/use-me.ts";
import { type AgentDetail, isLive, useAgent } from "../features/agents/agent-data.ts";
import { AgentReview } from "../features/agents/agent-review.tsx";
import { Checks } from "../features/agents/checks.tsx";
import { CurrentTool } from "../features/agents/current-tool.tsx";
import { DegradedMark, DegradedNote } from "../features/agents/degraded.tsx";
import { Facts } from "../features/agents/facts.tsx";
import { Notices } from "../features/agents/notices.tsx";
import { PromptSent } from "../features/agents/prompt.tsx";
import { RehearsalMark } from "../features/agents/rehearsal-mark.tsx";
import { Rerun } from "../features/agents/rerun.tsx";
import { Result } from "../features/agents/result.tsx";
import { ShareAgent } from "../features/agents/share-agent.tsx";
import { StopAgent } from "../features/agents/stop-agent.tsx";
import { TEXTS } from "../features/agents/texts.ts";
import { Tokens } from "../features/agents/tokens.tsx";
import { TranscriptView } from "../features/agents/transcript/transcript-view.tsx";
import { useTranscript } from "../features/agents/transcript/transcript.ts";
import { preloadDiffs } from "../features/changes/diff/diff-pane.tsx";
import { RoleIcon, useRoleName } from "../features/roles/role-icon.tsx";
import { usePauseOf } from "../features/roles/runner-problems.tsx";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { cx } from "../ui/cx.ts";
import { MonoId } from "../ui/mono-id.tsx";
import { Loading } from "../ui/notes.tsx";
import { PageError } from "../ui/page-error.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Elapsed } from "../ui/times.tsx";
import { useFilters } from "../ui/use-filters.ts";

export function Page() {
  const { agentId = "" } = useParams({ strict: false });
  const [{ tab }] = useFilters();
  // The code of the viewer is large: it loads while the agent is read.
  useEffect(() => {
    if (tab === "changes") preloadDiffs();
  }, [tab]);
  const text = useTexts(TEXTS);
  const { agent, error, refetch } = useAgent(agentId);
  if (agent) return <AgentPage key={agentId} agent={agent} />;
  if (!error) return <Loading />;
  return error instanceof ApiProblem && error.status === 404 ? (
    <PageHead title={text.notHere} />
  ) : (
    <PageError error={error} reset={() => void refetch()} />
  );
}

function AgentPage({ agent }: { readonly agent: AgentDetail }) {
  const text = useTexts(TEXTS);
  const live = isLive(agent.status);
  const [{ tab }] = useFilters();
  return (
    <>
      <Head agent={agent} />
      <DegradedNote agent={agent} />
      {/* A diff needs the whole width. */}
      <div
        className={cx(
          "grid items-start gap-4",
          tab === "changes" ? "lg:grid-cols-1" : "lg:grid-cols-[minmax(0,1fr)_20rem]",
        )}
      >
        <Records agent={agent} isLive={live} />
        <aside aria-label={text.facts.title} className="flex min-w-0 flex-col gap-3">
          <Checks agentId={agent.agentId} />
          <Notices agentId={agent.agentId} isLive={live} />
          <Tokens agent={agent} />
          <Facts agent={agent} />
          {!live && <Rerun agent={agent} />}
        </aside>
      </div>
    </>
  );
}

function Head({ agent }: { readonly agent: AgentDetail }) {
  const mayOperate = useMayOperate();
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  const format = useFormat();
  const name = useRoleName(agent.role);
  const pause = usePauseOf(agent.runner);
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
      <div className="flex min-w-0 items-center gap-3">
        <span className="grid size-11 shrink-0 place-items-center rounded-xl border border-line bg-raised text-violet [&>svg]:size-5">
          <RoleIcon role={agent.role} />
        </span>
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-bold">
              {name} <span className="sr-only">{agent.agentId}</span>
            </h1>
            <StatusBadge status={agent.status} label={agentStatus[agent.status]} />
            {agent.runner === "rehearsal" && <RehearsalMark />}
            <DegradedMark agent={agent} />
          </div>
          <div className="flex flex-wrap items-center gap-x-3 text-xs text-text-2">
            <MonoId id={agent.agentId} copy />
            <span className="inline-flex items-center gap-1 tabular-nums" title={text.elapsed}>
              <Timer size={12} aria-hidden className="text-text-3" />
              <Elapsed from={agent.startedAt} to={agent.endedAt} />
            </span>
            <span className="inline-flex items-center gap-1 font-mono" title={text.tools}>
              <Wrench size={12} aria-hidden className="text-text-3" />
              {format.number(agent.toolCallCount)}
              <CurrentTool agent={agent} />
            </span>
            <Link
              to="/groups/$groupId"
              params={{ groupId: agent.groupId }}
              className="font-mono text-violet hover:underline"
            >
              {agent.groupId}
            </Link>
          </div>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <ShareAgent agent={agent} />
        {isLive(agent.status) && mayOperate && <StopAgent agent={agent} />}
      </div>
      {agent.status === "queued" && pause !== undefined && (
        <p className="basis-full rounded-lg border border-timeout/30 bg-timeout/10 px-3 py-1.5 text-[13px] text-timeout">
          {pause}
        </p>
      )}
    </header>
  );
}

const TABS = ["live", "changes", "result", "prompt"] as const;

function Records({
  agent,
  isLive: live,
}: {
  readonly agent: AgentDetail;
  readonly isLive: boolean;
}) {
  const text = useTexts(TEXTS);
  const [filters, setFilters] = useFilters();
  const { state, earlier } = useTranscript(agent.agentId, live);
  const { editedFiles, createdFiles, deletedFiles = [] } = agent.result ?? agent.progress;
  const files = editedFiles.length + createdFiles.length + deletedFiles.length;
  const selected = TABS.find((id) => id === filters["tab"]) ?? "live";
  const content = {
    live: (
      <TranscriptView
        state={state}
        earlier={earlier}
        isLive={live}
        isQueued={agent.status === "queued"}
      />
    ),
    changes: <AgentReview agent={agent} state={state} />,
    result: <Result agent={agent} />,
    prompt: <PromptSent agent={agent} state={state} />,
  };
  return (
    <div className="min-w-0">
      <Tabs
        label={text.tabsLabel}
        selected={selected}
        onSelect={(id) => setFilters({ tab: id === "live" ? undefined : id, version: undefined })}
        tabs={TABS.map((id) => ({
          id,
          label: id === "changes" && files > 0 ? `${text.tabs.changes} ${files}` : text.tabs[id],
          content: content[id],
        }))}
      />
    </div>
  );
}
