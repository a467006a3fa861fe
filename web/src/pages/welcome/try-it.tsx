import { useNavigate } from "@tanstack/react-router";
import { ChevronRight, Sparkles } from "lucide-react";
import { useState } from "react";
import type { WireTask } from "../../../../src/contract/task-shapes.ts";
import { post } from "../../api/http.ts";
import { useRoles } from "../../api/system.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { useAction } from "../../lib/use-action.ts";
import { TEXTS } from "./texts.ts";

/** One press makes a real task; where that could cost something, two. */
export function TryIt() {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const roles = useRoles();
  const [isAsking, setAsking] = useState(false);
  const runner = roles.data?.roles[0]?.runnerInUse ?? "rehearsal";
  const isRehearsal = runner === "rehearsal";
  const create = useAction(async () => {
    const task = await post<WireTask>("/api/tasks", { text: text.tryText });
    await navigate({ to: "/tasks/$taskId", params: { taskId: task.taskId } });
  });
  const cost = isRehearsal ? text.tryRehearsal : text.tryReal(runner);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-text-2">{text.tryNote}</p>
      <p className="rounded-lg border-l-2 border-violet bg-base px-3 py-2">
        <span className="block text-xs text-text-3">{text.what}</span>
        {text.tryText}
      </p>
      <ol aria-label={text.flow} className="flex flex-wrap items-center gap-x-1 gap-y-1 text-xs">
        {text.flowSteps.map((step, index) => (
          <li key={step} className="flex items-center gap-1">
            {index > 0 && <ChevronRight size={13} aria-hidden className="text-text-3" />}
            <span className="rounded-full border border-line bg-raised px-2.5 py-0.5 text-text-2">
              {step}
            </span>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="violet"
          size="large"
          icon={<Sparkles size={16} aria-hidden />}
          isPending={create.isRunning}
          isDisabled={!roles.isSuccess}
          onPress={() => (isRehearsal ? void create.run() : setAsking(true))}
        >
          {create.isRunning ? text.trying : text.tryButton}
        </Button>
        <p className="text-xs text-text-3">{roles.isSuccess && cost}</p>
      </div>
      {isAsking && (
        <Dialog title={text.confirmTitle} isOpen onClose={() => setAsking(false)}>
          <p className="mb-1 font-semibold">{text.tryText}</p>
          <p className="mb-4 text-text-2">{cost}</p>
          <div className="flex justify-end gap-2">
            <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
            <Button look="violet" onPress={() => void create.run()} isPending={create.isRunning}>
              {create.isRunning ? text.trying : text.confirm}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
