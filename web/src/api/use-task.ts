import { useQuery } from "@tanstack/react-query";
import { get } from "./http.ts";
import type { TaskDetail } from "./task-detail.ts";

/** One task with everything about it; read again whenever an event names it. */
export function useTask(taskId: string | null) {
  return useQuery({
    queryKey: ["task", taskId],
    queryFn: ({ signal }) =>
      get<TaskDetail>(`/api/tasks/${encodeURIComponent(taskId ?? "")}`, signal),
    enabled: taskId !== null,
  });
}
