import { CircleX, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { useReason } from "../../../i18n/reasons.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { ChangeDialog } from "../change-dialog.tsx";
import { TASK } from "../detail/texts.ts";
import { TASKS } from "../texts.ts";

/** Stage and message of the failure, with a retry button. */
export function Failure({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const { stages } = useTexts(TASKS);
  const [isAsking, setAsking] = useState(false);
  const mayOperate = useMayOperate();
  const inWords = useReason();
  const { failure, status } = task;
  if (!failure) return null;
  return (
    <div className="flex flex-wrap items-start gap-3 rounded-lg border border-danger/50 bg-danger/10 p-3">
      <CircleX size={16} aria-hidden className="mt-0.5 shrink-0 text-failed" />
      <div className="min-w-0 flex-1 max-sm:basis-[80%]">
        <p className="font-semibold text-failed">{text.failureTitle(stages[failure.stage])}</p>
        <LongText text={inWords(failure.message)} lines={6} />
      </div>
      {status === "failed" && mayOperate && (
        <Button
          look="violet"
          className="max-sm:min-h-10 max-sm:w-full"
          icon={<RotateCcw size={14} aria-hidden />}
          onPress={() => setAsking(true)}
        >
          {text.retry}
        </Button>
      )}
      {isAsking && <ChangeDialog task={task} change="retry" onClose={() => setAsking(false)} />}
    </div>
  );
}
