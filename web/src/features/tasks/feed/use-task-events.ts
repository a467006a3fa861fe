import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { WireRecordedEvent } from "../../../../../src/contract/events/events.ts";
import { type AnswerOf, get } from "../../../api/http.ts";

const PER_PAGE = 1_000;
/** Beyond this number the oldest events are dropped. */
const MAX_EVENTS = 5_000;

/** Events of a task, oldest first; a refetch reads only newer ones. */
export function useTaskEvents(taskId: string) {
  const client = useQueryClient();
  const queryKey = ["task", taskId, "events"];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const events = [...(client.getQueryData<readonly WireRecordedEvent[]>(queryKey) ?? [])];
      for (;;) {
        const after = events.at(-1)?.id ?? 0;
        const page = await get("/api/tasks/{id}/events", {
          params: { id: taskId },
          query: { after, limit: PER_PAGE },
          signal,
        });
        events.push(...page.events.filter(isRecorded));
        if (page.events.length < PER_PAGE) return events.slice(-MAX_EVENTS);
      }
    },
  });
}

/** The route leaves the data open, because rows of earlier versions may have fewer fields. */
function isRecorded(
  event: AnswerOf<"get", "/api/tasks/{id}/events">["events"][number],
): event is WireRecordedEvent {
  return typeof event.data === "object";
}
