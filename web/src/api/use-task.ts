import { useQuery } from "@tanstack/react-query";
import { get } from "./http.ts";

/** The task with everything its page shows. Events that name it invalidate the query. */
export function useTask(taskId: string | null) {
  return useQuery({
    queryKey: ["task", taskId],
    queryFn: ({ signal }) => get("/api/tasks/{id}", { params: { id: taskId ?? "" }, signal }),
    enabled: taskId !== null,
  });
}
