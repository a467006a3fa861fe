import { useQuery } from "@tanstack/react-query";
import { get } from "../../../api/http.ts";
import { useMe } from "../../../api/use-me.ts";

/** The untrusted settings of the configuration file; details are for admins only. */
export function useTrust() {
  const isAdmin = useMe()?.role === "admin";
  const system = useQuery({
    queryKey: ["config", "untrusted"],
    queryFn: ({ signal }) => get("/api/system", { signal }),
  });
  const untrusted = system.data?.untrusted ?? null;
  const details = useQuery({
    queryKey: ["config", "trust"],
    queryFn: ({ signal }) => get("/api/config/trust", { signal }),
    enabled: isAdmin && untrusted !== null,
  });
  return { isAdmin, untrusted, details: details.data?.trust ?? null };
}
