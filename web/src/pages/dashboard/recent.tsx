import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { WireHome } from "../../../../src/contract/shapes/home.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { usePersonName } from "../../features/people/use-person-name.ts";
import { waitingTasks } from "../../features/tasks/columns.ts";
import { TryButton } from "../../features/tasks/first-task/try-button.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { firstLine } from "../../text/first-line.ts";
import { visible } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { HOME } from "./home-texts.ts";

type RecentTask = WireHome["recent"][number];

/** The newest tasks: what was asked, by whom, and what came of it. */
export function Recent({
  tasks,
  hasSample,
}: {
  readonly tasks: readonly RecentTask[];
  /** Offers the sample task once more. */
  readonly hasSample: boolean;
}) {
  const text = useTexts(HOME);
  return (
    <section aria-labelledby="recent" className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="recent" className="text-[15px] font-bold">
          {text.recent}
        </h2>
        {hasSample && <TryButton isSmall />}
        <Link
          to="/tasks"
          className="ml-auto inline-flex items-center gap-1 text-violet hover:underline"
        >
          {text.allTasks}
          <ArrowRight size={13} aria-hidden />
        </Link>
      </div>
      <Card className="px-1">
        {tasks.length === 0 ? (
          <p className="px-3 py-4 text-text-2">
            {text.noTasks} <span className="text-text-3">{text.noTasksHint}</span>
          </p>
        ) : (
          <ul className="divide-y divide-line/70">
            {tasks.map((task) => (
              <li key={task.taskId}>
                <Row task={task} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}

function Row({ task }: { readonly task: RecentTask }) {
  const text = useTexts(HOME);
  const nameOf = usePersonName();
  const inWords = useReason();
  const { stepsDone, stepsTotal } = task;
  const result = resultOf(task, text.reason);
  const hasProgress = stepsTotal > 0 && task.endedAt === null;
  return (
    <div className="relative flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2.5 hover:bg-raised/50">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-semibold" dir="auto">
          <Link
            to="/tasks/$taskId"
            params={{ taskId: task.taskId }}
            className="line-clamp-1 after:absolute after:inset-0 hover:text-violet"
          >
            {visiblePreview(task.title ?? firstLine(task.request))}
          </Link>
        </h3>
        {result !== "" && (
          <p className="line-clamp-2 text-[13px] text-text-2" dir="auto">
            {visible(inWords(result))}
          </p>
        )}
        <p className="flex flex-wrap gap-x-2.5 text-xs text-text-3">
          <span>{text.asked(nameOf(task.requester))}</span>
          <Ago at={task.endedAt ?? task.createdAt} />
          {hasProgress && <span>{text.steps(stepsDone, stepsTotal)}</span>}
        </p>
      </div>
      <Badge task={task} />
    </div>
  );
}

/** One line: the result, or why it failed or was stopped. */
function resultOf(task: RecentTask, reason: (why: string) => string): string {
  const { status, statusReason, summary } = task;
  const isStopped = status === "blocked" || status === "cancelled";
  if (isStopped && statusReason) return reason(statusReason);
  return status === "in_progress" || isStopped ? "" : firstLine(summary ?? "");
}

function Badge({ task }: { readonly task: RecentTask }) {
  const text = useTexts(HOME);
  const { taskStatus } = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const status = useLive(({ tasks }) => tasks.get(task.taskId)?.status) ?? task.status;
  const isWaiting = useLive(({ approvals }) => waitingTasks(approvals).has(task.taskId));
  if (isWaiting && status !== "blocked") {
    return <StatusBadge status="pending" label={mayOperate ? text.waitsForYou : text.waits} />;
  }
  return <StatusBadge status={status} label={taskStatus[status]} />;
}
