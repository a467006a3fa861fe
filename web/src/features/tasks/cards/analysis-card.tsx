import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { MonoId } from "../../../ui/mono-id.tsx";
import { TASK, type TaskPageWords } from "../detail/texts.ts";
import { PriorityMark } from "../priority-mark.tsx";
import { analysisState, type CardState } from "./card-state.ts";
import { Failure } from "./failure.tsx";
import { StageCard } from "./stage-card.tsx";

/** The request and its analysis. */
export function AnalysisCard({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const format = useFormat();
  const state = analysisState(task);
  const { request, directives } = partsOf(task.request);
  return (
    <StageCard
      icon={<ScrollText size={15} />}
      title={text.taskCard}
      state={state}
      badge={badgeOf(state, text)}
      side={<span className="font-mono text-xs text-text-3">{format.time(task.createdAt)}</span>}
    >
      {state === "generating" && <p className="text-generating">{text.analyzing}</p>}
      {state === "failed" && <Failure task={task} />}
      {task.description !== null && <LongText text={task.description} lines={4} />}
      {task.description === null || !task.description.includes(request.slice(0, 200)) ? (
        <div className="border-l-2 border-line pl-3">
          <p className="text-xs text-text-3">{text.request}</p>
          <LongText text={request} lines={2} className="text-text-2" />
        </div>
      ) : null}
      {directives.length > 0 && (
        <details className="text-xs">
          <summary className="w-fit cursor-pointer text-text-3">
            {text.directives(directives.length)}
          </summary>
          <LongText text={directives.join("\n")} lines={8} mono className="mt-1 text-text-2" />
        </details>
      )}
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
        <Pair name={text.priorityName}>
          <PriorityMark priority={task.priority} />
        </Pair>
        {task.type !== null && <Pair name={text.type}>{task.type}</Pair>}
        <Pair name={text.taskId}>
          <MonoId id={task.taskId} copy />
        </Pair>
        <Pair name={text.directory}>
          <code className="font-mono text-text-2">{task.workingDirectory}</code>
        </Pair>
      </dl>
    </StageCard>
  );
}

/** The request, without the directives for the rehearsal runner. */
function partsOf(request: string): {
  readonly request: string;
  readonly directives: readonly string[];
} {
  const lines = request.split("\n");
  return {
    request: lines.filter((line) => !isDirective(line)).join("\n"),
    directives: lines.filter(isDirective),
  };
}

function isDirective(line: string): boolean {
  return line.startsWith("#rehearsal ");
}

function badgeOf(state: CardState, text: TaskPageWords): string {
  if (state === "generating") return text.generating;
  if (state === "completed") return text.analyzed;
  if (state === "failed") return text.failed;
  return state === "cancelled" ? text.cancelled : text.notYet;
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <dt className="shrink-0 text-text-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
