import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "../../api/http.ts";
import { useHasPostgres } from "../../api/system.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

/** No event says that a job was given up. */
const REFRESH_MS = 10_000;

const DEAD_JOBS_KEY = ["job", "dead"] as const;

/** With SQLite no job is given up, so nothing is asked. */
export function useDeadJobs() {
  return useQuery({
    queryKey: DEAD_JOBS_KEY,
    queryFn: ({ signal }) => get("/api/jobs", { signal }),
    refetchInterval: REFRESH_MS,
    enabled: useHasPostgres(),
  });
}

/** Tries one job again; without an id all of them. */
export function useRetry(jobId?: string) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const queries = useQueryClient();
  return useAction(async () => {
    try {
      const body = jobId === undefined ? {} : { jobId };
      const { retried } = await post("/api/jobs/retry", { body });
      if (retried === 0) toast({ kind: "info", title: text.othersWereFaster });
      else {
        toast({
          kind: "info",
          title: text.retried(format.number(retried)),
          detail: text.retriedDetail,
        });
      }
    } finally {
      // Also after a refusal: another person may have been faster.
      await queries.invalidateQueries({ queryKey: DEAD_JOBS_KEY });
    }
  });
}
