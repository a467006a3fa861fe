import { useQuery } from "@tanstack/react-query";
import type { DemoChoice } from "../../../src/contract/demo.ts";
import { get } from "./http.ts";

/** The story of the daemon of `kuromajutsu demo`; undefined: another daemon; null: not known yet. */
export function useDemo(): DemoChoice | undefined | null {
  const { data, isPending } = useQuery({
    queryKey: ["server", "welcome"],
    queryFn: ({ signal }) => get("/api/welcome", { signal }),
    staleTime: Infinity,
  });
  return isPending ? null : data?.demo;
}
