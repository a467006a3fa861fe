import { useQuery } from "@tanstack/react-query";
import { get } from "./http.ts";
import type { TaskDetail } from "./task-detail.ts";

/** The task with everything its page shows. Events that name it invalidate the query. */
export function useTask(taskId: string | null) {
  return useQuery({
    queryKey: ["task", taskId],
    queryFn: ({ signal }) =>
      get<TaskDetail>(`/api/tasks/${encodeURIComponent(taskId ?? "")}`, signal),
    enabled: taskId !== null,
  });
}
