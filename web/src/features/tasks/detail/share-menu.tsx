import type { TaskDetail } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { ShareMenu } from "../../../ui/share-menu.tsx";
import { sharedCalls } from "./share-calls.ts";
import { SHARE } from "./share-texts.ts";

export function ShareTask({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(SHARE);
  return (
    <ShareMenu
      path={`/tasks/${task.taskId}`}
      calls={(curl) => sharedCalls(task, { curl, reason: text.reason })}
      names={text.calls}
      className="max-lg:min-h-10"
    />
  );
}
