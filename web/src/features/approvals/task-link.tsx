import { Link } from "@tanstack/react-router";
import { SquareKanban } from "lucide-react";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useLive } from "../../live/store.ts";

/** Links to a task by its title if it is in the live state, otherwise by its id. */
export function useTaskName(taskId: string): string {
  return useLive(({ tasks }) => {
    const task = tasks.get(taskId);
    return visiblePreview(task?.title ?? task?.request.slice(0, 80) ?? taskId);
  });
}

export function TaskLink({ taskId }: { readonly taskId: string }) {
  const name = useTaskName(taskId);
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId }}
      className="inline-flex max-w-full items-center gap-1.5 text-violet hover:underline"
    >
      <SquareKanban size={13} aria-hidden className="shrink-0" />
      <span className="truncate">{name}</span>
    </Link>
  );
}
