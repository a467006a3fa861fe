import { Link } from "@tanstack/react-router";
import { ArrowRight, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import type { Failure } from "../../features/notifications/attention/use-attention-items.ts";
import { useRoleName } from "../../features/roles/role-icon.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { StatusBadge, StatusIcon } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

const MAX_FAILURES = 4;

/** Recent failures; each can be opened, and tasks can be retried. */
export function FailuresCard({ failures }: { readonly failures: readonly Failure[] }) {
  const text = useTexts(TEXTS);
  const { agentStatus } = useTexts(COMMON);
  return (
    <Card bar="failed" className="flex h-full flex-col gap-1 py-3 pr-3 pl-4">
      <div className="flex items-center justify-between gap-2">
        <StatusBadge status="failed" label={`${agentStatus.failed} ${failures.length}`} />
        <Link
          to="/history"
          search={{ status: "failed" }}
          className="inline-flex items-center gap-1 text-xs text-violet hover:underline"
        >
          {text.allFailures}
          <ArrowRight size={12} aria-hidden />
        </Link>
      </div>
      <ul className="divide-y divide-line/70">
        {failures.slice(0, MAX_FAILURES).map((failure) => (
          <li key={failure.id}>
            {failure.kind === "task" ? (
              <FailedTask task={failure.task} />
            ) : (
              <FailedAgent agent={failure.agent} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type RowProps = {
  readonly status: string;
  readonly title: ReactNode;
  readonly message: string;
  readonly at: string;
  readonly children?: ReactNode;
};

function Row({ status, title, message, at, children }: RowProps) {
  return (
    <div className="relative flex items-center gap-2.5 py-2">
      <StatusIcon status={status} />
      <div className="min-w-0 flex-1">
        <h3 className="flex items-baseline justify-between gap-2">
          {title}
          <Ago at={at} className="text-xs font-normal text-text-3" />
        </h3>
        <p className="line-clamp-1 text-[13px] text-text-2" dir="auto">
          {message}
        </p>
      </div>
      {children}
    </div>
  );
}

const TITLE = "line-clamp-1 font-semibold after:absolute after:inset-0 hover:text-violet";

function FailedTask({ task }: { readonly task: WireTask }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const inWords = useReason();
  const retry = useAction(() => post("/api/tasks/{id}/retry", { params: { id: task.taskId } }));
  const stage = task.failure && text.taskStage[task.failure.stage];
  return (
    <Row
      status="failed"
      at={task.updatedAt}
      title={
        <Link to="/tasks/$taskId" params={{ taskId: task.taskId }} className={TITLE}>
          {visiblePreview(task.title ?? task.request.slice(0, 200))}
        </Link>
      }
      message={visible(
        [stage, inWords(task.failure?.message ?? task.statusReason ?? "")]
          .filter(Boolean)
          .join(": "),
      )}
    >
      {mayOperate && (
        <Button
          size="small"
          className="relative z-10"
          icon={<RotateCcw size={13} aria-hidden />}
          onPress={() => void retry.run()}
          isPending={retry.isRunning}
        >
          {common.retry}
        </Button>
      )}
    </Row>
  );
}

function FailedAgent({ agent }: { readonly agent: AgentCard }) {
  const role = useRoleName(agent.role);
  const lastLine = agent.lastMessage.split("\n").findLast((line) => line.trim() !== "");
  return (
    <Row
      status={agent.status}
      at={agent.endedAt ?? agent.createdAt}
      title={
        <Link to="/agents/$agentId" params={{ agentId: agent.agentId }} className={TITLE}>
          {role}{" "}
          <span className="font-mono text-[11px] font-normal text-text-3">{agent.agentId}</span>
        </Link>
      }
      message={lastLine ?? ""}
    />
  );
}
