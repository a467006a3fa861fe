import { useQuery, useQueryClient } from "@tanstack/react-query";
import { OctagonPause } from "lucide-react";
import { useState } from "react";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { ApiProblem, patch, post } from "../../api/http.ts";
import type { TaskDetail } from "../../api/task-detail.ts";
import { COMMON } from "../../i18n/common.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { visibleName } from "../../text/visible.ts";
import { Button, type ButtonLook } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { MonoId } from "../../ui/mono-id.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { Change } from "./columns.ts";
import { TASKS, type TaskWords } from "./texts.ts";

export type ChangeDialogProps = {
  readonly task: Pick<WireTask, "taskId" | "title" | "request" | "status" | "failure" | "version">;
  readonly change: Change;
  readonly onClose: () => void;
};

/** Confirms a status change and says what it will do. */
export function ChangeDialog({ task, change, onClose }: ChangeDialogProps) {
  const text = useTexts(TASKS);
  const common = useTexts(COMMON);
  const inWords = useReason();
  const [reason, setReason] = useState("");
  // As it was when the dialog opened: a later change is refused, because the person has not seen it.
  const [{ version }] = useState(task);
  const seen = { version, ...(reason.trim() && { reason: reason.trim() }) };
  const params = { id: task.taskId };
  const client = useQueryClient();
  async function send(): Promise<WireTask> {
    if (change === "retry") return post("/api/tasks/{id}/retry", { params, body: seen });
    const body = { status: STATUS[change], ...seen };
    return (await patch("/api/tasks/{id}", { params, body })).task;
  }
  const act = useAction(async () => {
    const after = await send().catch((error: unknown) => {
      // The page behind the dialog shows what has changed.
      if (error instanceof ApiProblem && error.code === "VERSION_CONFLICT") onClose();
      throw error;
    });
    // Show the daemon's answer at once, without another request.
    client.setQueryData<TaskDetail>(["task", task.taskId], (old) => old && { ...old, ...after });
    useLive.setState(({ tasks }) => ({ tasks: new Map(tasks).set(after.taskId, after) }));
    onClose();
  });
  const words = wordsOf(change, text);
  const confirm = () => void (!act.isRunning && act.run());
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="border-l-2 border-violet pl-3 font-semibold">
          {visiblePreview(task.title ?? task.request.slice(0, 120))}
        </p>
        <p className="text-text-2">{words.note}</p>
        {change === "retry" && task.failure && (
          <div className="rounded-lg border border-danger/40 bg-danger/10 p-3">
            <p className="mb-1 font-semibold">{text.retryStage(text.stages[task.failure.stage])}</p>
            <LongText text={inWords(task.failure.message)} lines={4} className="text-text-2" />
          </div>
        )}
        {(change === "block" || change === "cancel") && (
          <Impact taskId={task.taskId} change={change} />
        )}
        <Field
          label={change === "block" ? text.reasonBlock : text.reason}
          value={reason}
          onChange={setReason}
          rows={2}
          placeholder={change === "block" ? text.reasonExample : ""}
          onSubmit={confirm}
          autoFocus
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look={LOOK[change]} onPress={confirm} isPending={act.isRunning}>
            {change === "cancel" ? text.cancelDo : common[change]}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const STATUS = { block: "blocked", unblock: "in_progress", cancel: "cancelled" } as const;
const LOOK: Record<Change, ButtonLook> = {
  block: "block",
  unblock: "violet",
  cancel: "danger",
  retry: "violet",
};
function wordsOf(change: Change, text: TaskWords) {
  switch (change) {
    case "block":
      return { title: text.blockTitle, note: text.blockNote };
    case "unblock":
      return { title: text.unblockTitle, note: text.unblockNote };
    case "cancel":
      return { title: text.cancelTitle, note: text.cancelNote };
    case "retry":
      return { title: text.retryTitle, note: text.retryNote };
  }
}

/** Dry run: what the change would stop. */
function Impact({
  taskId,
  change,
}: {
  readonly taskId: string;
  readonly change: "block" | "cancel";
}) {
  const text = useTexts(TASKS);
  const found = useQuery({
    queryKey: ["task", taskId, "dry-run", change],
    queryFn: () =>
      patch("/api/tasks/{id}", {
        params: { id: taskId },
        query: { dryRun: "true" },
        body: { status: STATUS[change] },
      }),
    staleTime: 0,
    retry: false,
  });
  if (found.isError) return <ErrorNote error={found.error} />;
  if (!found.data) return <p className="text-text-3">{text.looking}</p>;
  const { stopping, cancelledCalls } = found.data;
  return (
    <div className="rounded-lg border border-blocked/40 bg-blocked/10 p-3">
      <p className="flex items-center gap-2 font-semibold text-blocked">
        <OctagonPause size={15} aria-hidden />
        {text.stops(stopping.length)}
      </p>
      {stopping.length > 0 && (
        <ul className="mt-1.5 flex max-h-32 flex-col gap-0.5 overflow-y-auto">
          {stopping.map((id) => (
            <li key={id}>
              <MonoId id={id} />
            </li>
          ))}
        </ul>
      )}
      {cancelledCalls.length > 0 && (
        <p className="mt-1.5">
          {text.cutCalls(cancelledCalls.length)}{" "}
          <code className="font-mono text-xs">
            {visibleName(cancelledCalls.map(({ server, tool }) => `${server}/${tool}`).join(", "))}
          </code>
        </p>
      )}
    </div>
  );
}
