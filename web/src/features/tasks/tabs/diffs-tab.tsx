import { lazy, Suspense } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Loading } from "../../../ui/notes.tsx";
import { StepsDiff } from "../../approvals/content/steps-diff.tsx";
import { APPROVALS } from "../../approvals/texts.ts";
import { TASK } from "../detail/texts.ts";
import { FileDiffs } from "./file-diffs.tsx";
import type { TaskFiles } from "./use-task-files.ts";

const WordDiff = lazy(async () => ({
  default: (await import("../../../ui/word-diff.tsx")).WordDiff,
}));

/** Number of version pairs to compare. */
export function countDiffs({ prompts, processes }: TaskDetail): number {
  return Math.max(0, prompts.length - 1) + Math.max(0, processes.length - 1);
}

/** File changes, and every version of a draft compared with the previous one. */
export function DiffsTab({
  task,
  files,
}: {
  readonly task: TaskDetail;
  readonly files: TaskFiles;
}) {
  const text = useTexts(TASK);
  const { compare } = useTexts(APPROVALS);
  if (countDiffs(task) + files.count === 0) {
    return files.isPending ? <Loading /> : <p className="py-4 text-text-3">{text.noDiffs}</p>;
  }
  return (
    <div
      className="flex max-h-[32rem] flex-col gap-4 overflow-y-auto"
      tabIndex={0}
      role="region"
      aria-label={text.diffs}
    >
      <FileDiffs task={task} files={files} />
      {pairsOf(task.prompts).map(([before, after]) => (
        <section key={after.promptId}>
          <h3 className="mb-1 text-xs font-semibold text-text-3">
            {text.promptCard} · {compare(before.version, after.version)}
          </h3>
          <Suspense fallback={<Loading />}>
            <WordDiff before={before.content} after={after.content} />
          </Suspense>
        </section>
      ))}
      {pairsOf(task.processes).map(([before, after]) => (
        <section key={after.processId}>
          <h3 className="mb-1 text-xs font-semibold text-text-3">
            {text.stepsCard} · {compare(before.version, after.version)}
          </h3>
          <StepsDiff before={before.steps} after={after.steps} />
        </section>
      ))}
    </div>
  );
}

function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((after, index) => {
    const before = items[index - 1];
    return before === undefined ? [] : [[before, after] as const];
  });
}
