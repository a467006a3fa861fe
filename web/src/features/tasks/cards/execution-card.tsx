import { Ban, Rocket } from "lucide-react";
import { useMemo, useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireExecution } from "../../../../../src/contract/shapes/executions.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { TASK } from "../detail/texts.ts";
import { CallList } from "./call-list.tsx";
import { executionState } from "./card-state.ts";
import { ExecutionResult } from "./execution-result.tsx";
import { HumanCheck } from "./human-check.tsx";
import { StageCard } from "./stage-card.tsx";
import { StepRow } from "./step-row.tsx";
import { type Stretch, timelineOf } from "./timeline.ts";

export type ExecutionCardProps = {
  readonly task: TaskDetail;
  /** Pending approvals of the execution, oldest first. */
  readonly checks: readonly WireApproval[];
  /** The approval whose buttons are in the bar of a phone. */
  readonly inBar: string | null;
  readonly onStop: () => void;
};

const MANY_STEPS = 12;

/** The steps of each attempt. */
export function ExecutionCard({ task, checks, inBar, onStop }: ExecutionCardProps) {
  const text = useTexts(TASK);
  const mayOperate = useMayOperate();
  const [chosen, setChosen] = useState<string | null>(null);
  const newest = task.executions.at(-1);
  const shown = task.executions.find(({ executionId }) => executionId === chosen) ?? newest;
  const state = executionState(task, shown);
  const isNewest = shown === newest;
  const isUnderWay = task.status === "in_progress" || task.status === "blocked";
  const done = shown?.steps.filter(({ status }) => status === "done").length ?? 0;
  const asking =
    shown &&
    isNewest &&
    checks.map((approval, index) => (
      <HumanCheck
        key={approval.approvalId}
        approval={approval}
        execution={shown}
        keys={index === 0}
        isDecidedInBar={approval.approvalId === inBar}
      />
    ));
  // A question below fifty steps would be overlooked.
  const isLong = (shown?.steps.length ?? 0) > MANY_STEPS;
  return (
    <StageCard
      icon={<Rocket size={15} />}
      title={text.executionCard}
      state={state}
      badge={
        shown === undefined
          ? state === "cancelled"
            ? text.never
            : text.notYet
          : shown.status === "stopping"
            ? text.stopping
            : text.state[state]
      }
      isUrgent={shown !== undefined}
      side={
        shown && (
          <>
            <span className="text-xs text-text-2">{text.progress(done, shown.steps.length)}</span>
            {isUnderWay && isNewest && mayOperate && (
              <Button size="small" icon={<Ban size={13} aria-hidden />} onPress={onStop}>
                {text.stop}
              </Button>
            )}
          </>
        )
      }
    >
      {task.executions.length > 1 && (
        <Segments
          label={text.attempts}
          value={shown?.executionId ?? ""}
          onChange={setChosen}
          options={task.executions.map(({ executionId, attempt }) => ({
            id: executionId,
            label: text.attempt(attempt),
          }))}
        />
      )}
      {shown ? (
        <>
          {shown.status === "queued" && <p className="text-text-3">{text.queuedNote}</p>}
          {isLong && asking}
          <Steps task={task} execution={shown} checks={isNewest ? checks : []} />
          {!isLong && asking}
          <ExecutionResult task={task} execution={shown} isNewest={isNewest} />
        </>
      ) : (
        <p className="text-text-3">
          {state === "cancelled" ? text.cancelledTask : text.notYetExecution}
        </p>
      )}
    </StageCard>
  );
}

function Steps({
  task,
  execution,
  checks,
}: Pick<ExecutionCardProps, "task" | "checks"> & { readonly execution: WireExecution }) {
  const text = useTexts(TASK);
  const now = useNow();
  const process = task.processes.find(({ processId }) => processId === execution.processId);
  const calls = useMemo(
    () =>
      Map.groupBy(
        task.toolCalls.filter(({ executionId }) => executionId === execution.executionId),
        ({ stepId }) => stepId,
      ),
    [task.toolCalls, execution.executionId],
  );
  const timeline = timelineOf(stretchesOf(execution, now));
  const outside = calls.get(null) ?? [];
  return (
    <>
      <ol aria-label={text.steps} className="flex flex-col gap-0.5">
        {execution.steps.map((state, index) => (
          <StepRow
            key={state.stepId}
            step={
              process?.steps.find(({ stepId }) => stepId === state.stepId) ?? {
                stepId: state.stepId,
                order: index + 1,
                title: state.stepId,
                server: null,
                tool: "",
                requiresHumanCheck: false,
              }
            }
            state={state}
            calls={calls.get(state.stepId) ?? []}
            timeline={timeline}
            now={now}
            isAsked={checks.some(({ stepId }) => stepId === state.stepId)}
          />
        ))}
      </ol>
      {outside.length > 0 && (
        <div>
          <p className="mb-1 text-xs text-text-3">{text.outside}</p>
          <CallList calls={outside} />
        </div>
      )}
    </>
  );
}

function stretchesOf({ steps }: WireExecution, now: number): readonly Stretch[] {
  return steps.flatMap(({ startedAt, endedAt }) =>
    startedAt === null
      ? []
      : [{ start: Date.parse(startedAt), end: endedAt === null ? now : Date.parse(endedAt) }],
  );
}
