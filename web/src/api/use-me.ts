import { useQuery } from "@tanstack/react-query";
import type { WireMe } from "../../../src/contract/shapes/people.ts";
import { get } from "./http.ts";

/** The signed-in person; undefined while loading. */
export function useMe(): WireMe | undefined {
  const { data } = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => get("/api/me", { signal }),
    staleTime: 60_000,
  });
  return data;
}

/** Whether this person may request, decide and stop. True while loading. */
export function useMayOperate(): boolean {
  return useMe()?.role !== "viewer";
}

/** Whether this person may add and revoke. False while loading. */
export function useIsAdmin(): boolean {
  return useMe()?.role === "admin";
}
