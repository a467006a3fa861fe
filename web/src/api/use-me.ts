import { useQuery } from "@tanstack/react-query";
import type { WireMe } from "../../../src/contract/settings.ts";
import { get } from "./http.ts";

/** Who looks at this page. Undefined until it is known. */
export function useMe(): WireMe | undefined {
  const { data } = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => get<WireMe>("/api/me", signal),
    staleTime: 60_000,
  });
  return data;
}

/** May ask, decide and stop; a viewer only looks. True until it is known otherwise. */
export function useMayOperate(): boolean {
  return useMe()?.role !== "viewer";
}
