import { useQuery } from "@tanstack/react-query";
import { get } from "./http.ts";

/** Progress of steps and decisions are not events of tasks. */
const ASK_AGAIN_MS = 10_000;

/** Recent tasks with their results, and the first steps. */
export function useHome() {
  return useQuery({
    queryKey: ["task", "home"],
    queryFn: ({ signal }) => get("/api/home", { signal }),
    refetchInterval: ASK_AGAIN_MS,
  });
}
