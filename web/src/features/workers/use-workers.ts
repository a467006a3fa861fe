import { useQuery } from "@tanstack/react-query";
import { get } from "../../api/http.ts";

/** No event says that a worker was seen. */
const REFRESH_MS = 3_000;

export const WORKERS_KEY = ["worker", "workers"] as const;

export function useWorkers() {
  return useQuery({
    queryKey: WORKERS_KEY,
    queryFn: ({ signal }) => get("/api/workers", { signal }),
    refetchInterval: REFRESH_MS,
  });
}
