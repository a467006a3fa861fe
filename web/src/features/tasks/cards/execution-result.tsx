import { Ban, CircleCheck, OctagonPause, Play, RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { WireExecution } from "../../../../../src/contract/shapes/executions.ts";
import { timesOf } from "../../../../../src/contract/task-times.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { type Format, useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visible } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import { usePersonName } from "../../people/use-person-name.ts";
import { ChangeDialog } from "../change-dialog.tsx";
import type { Change } from "../columns.ts";
import { TASK, type TaskPageWords } from "../detail/texts.ts";
import { ResultActions } from "./result-actions.tsx";

export type ExecutionResultProps = {
  readonly task: TaskDetail;
  readonly execution: WireExecution;
  readonly isNewest: boolean;
};

/** How an attempt ended, with the possible actions. */
export function ExecutionResult({ task, execution, isNewest }: ExecutionResultProps) {
  const text = useTexts(TASK);
  const common = useTexts(COMMON);
  const format = useFormat();
  const nameOf = usePersonName();
  const mayOperate = useMayOperate();
  const [asked, setAsked] = useState<Change | null>(null);
  const { status, summary, response, error } = execution;
  return (
    <>
      {summary !== null && status !== "failed" && (
        <Part title={text.summary}>
          <Markdown text={summary} />
        </Part>
      )}
      {response !== null && response !== summary && (
        <details>
          <summary className="w-fit cursor-pointer text-xs text-violet">{text.response}</summary>
          <div className="mt-2 rounded-lg border border-line bg-base p-3">
            <Markdown text={response} />
          </div>
        </details>
      )}
      {status !== "failed" && <ResultActions task={task} execution={execution} />}
      {status === "failed" && (
        <div className="flex flex-wrap items-end gap-3 rounded-lg border border-danger/50 bg-danger/10 p-3">
          <Part title={text.error}>
            <LongText text={error ?? summary ?? ""} lines={8} />
          </Part>
          {isNewest && task.status === "failed" && mayOperate && (
            <Button
              look="violet"
              icon={<RotateCcw size={14} aria-hidden />}
              onPress={() => setAsked("retry")}
            >
              {text.retry}
            </Button>
          )}
        </div>
      )}
      <HowItEnded task={task} execution={execution} isNewest={isNewest} />
      {isNewest && task.status === "blocked" && (
        <div className="flex items-center gap-3 rounded-lg border border-blocked/50 bg-blocked/10 p-3 max-sm:flex-wrap">
          <OctagonPause size={16} aria-hidden className="shrink-0 text-blocked" />
          <div className="min-w-0 flex-1 max-sm:basis-[80%]">
            <p className="font-semibold text-blocked">
              {text.blockedBy(nameOf(task.statusBy), format.dateTime(task.updatedAt))}
            </p>
            {task.statusReason !== null && <p>{text.reason(visible(task.statusReason))}</p>}
          </div>
          {mayOperate && (
            <Button
              look="violet"
              className="max-sm:min-h-10 max-sm:w-full"
              icon={<Play size={14} aria-hidden />}
              onPress={() => setAsked("unblock")}
            >
              {common.unblock}
            </Button>
          )}
        </div>
      )}
      {asked && <ChangeDialog task={task} change={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function HowItEnded({ task, execution, isNewest }: ExecutionResultProps) {
  const text = useTexts(TASK);
  const format = useFormat();
  const nameOf = usePersonName();
  const { status, endedAt } = execution;
  const took = tookWords({ task, execution, isNewest }, text, format);
  const at = endedAt === null ? "" : format.dateTime(endedAt);
  const icon = { size: 13, "aria-hidden": true } as const;
  if (status === "completed") {
    return (
      <Foot icon={<CircleCheck {...icon} className="text-success" />}>
        {took} · {text.completedAt(at)}
      </Foot>
    );
  }
  if (status === "failed") {
    return (
      <Foot icon={null}>
        {took} · {text.failedAt(at)}
      </Foot>
    );
  }
  if (status !== "cancelled" || !isNewest) return null;
  return (
    <Foot icon={<Ban {...icon} />}>
      {text.cancelledBy(nameOf(task.statusBy), at)}
      {task.statusReason !== null && ` · ${text.reason(visible(task.statusReason))}`}
    </Foot>
  );
}

/** The attempt with which the task ended shows the time of all attempts, as the terminal does. */
function tookWords(
  { task, execution, isNewest }: ExecutionResultProps,
  text: TaskPageWords,
  format: Format,
): string {
  const { total, waiting } = timesOf(task);
  if (!isNewest || total === undefined) return text.attemptTook(format.took(execution.elapsed_ms));
  const waited = waiting >= 1_000 ? ` (${text.waitedForPeople(format.took(waiting))})` : "";
  return `${text.took(format.took(total))}${waited}`;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="mb-1 text-xs font-semibold text-text-3">{title}</p>
      {children}
    </div>
  );
}

function Foot({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 border-t border-line pt-2 text-xs text-text-2">
      {icon}
      <span>{children}</span>
    </p>
  );
}
