import { queryOptions, useQuery } from "@tanstack/react-query";
import { type AnswerOf, get } from "./http.ts";

/** Queries that several pages share. The first part of a query key is the area of the events that invalidate it. */
export function useRoles() {
  return useQuery({
    queryKey: ["config", "roles"],
    queryFn: ({ signal }) => get("/api/roles", { signal }),
  });
}

export function useRoleTools() {
  return useQuery({
    queryKey: ["config", "role-tools"],
    queryFn: ({ signal }) => get("/api/role-tools", { signal }),
  });
}

export function useModels() {
  return useQuery({
    queryKey: ["healthcheck", "models"],
    queryFn: ({ signal }) => get("/api/models", { signal }),
  });
}

export function useHealthCheck() {
  return useQuery({
    queryKey: ["healthcheck", "state"],
    queryFn: ({ signal }) => get("/api/health-check", { signal }),
  });
}

export function useRunners() {
  return useQuery({
    queryKey: ["healthcheck", "runners"],
    queryFn: ({ signal }) => get("/api/runners", { signal }),
  });
}

export function useSystem() {
  return useQuery({
    queryKey: ["healthcheck", "system"],
    queryFn: ({ signal }) => get("/api/system", { signal }),
  });
}

/** No event says that a server was seen. */
const SERVERS_MS = 5_000;

const SERVERS = queryOptions({
  queryKey: ["server", "servers"],
  queryFn: ({ signal }) => get("/api/servers", { signal }),
});

export function useServers() {
  return useQuery({
    ...SERVERS,
    refetchInterval: ({ state }) => ((state.data?.servers.length ?? 0) > 0 ? SERVERS_MS : false),
  });
}

/** False while loading. A daemon with SQLite lists no servers, not even itself. */
export function useHasPostgres(): boolean {
  const { data } = useQuery({
    ...SERVERS,
    staleTime: Infinity,
    select: ({ servers }) => servers.length > 0,
  });
  return data ?? false;
}

export function useGateway() {
  return useQuery({
    queryKey: ["gateway", "servers"],
    queryFn: ({ signal }) => get("/api/gateway", { signal }),
  });
}

type Health = AnswerOf<"get", "/api/health">;

type Complete = { readonly [Name in keyof Health]-?: Exclude<Health[Name], undefined> };

/** Without sign-in the daemon answers its version only. */
function isComplete(answer: Health): answer is Complete {
  return answer.pid !== undefined;
}

export function useDaemon() {
  return useQuery({
    queryKey: ["server", "daemon"],
    queryFn: ({ signal }) => get("/api/health", { signal }),
    select: (answer) => (isComplete(answer) ? answer : undefined),
  });
}

export function useSettings() {
  return useQuery({
    queryKey: ["config", "settings"],
    queryFn: ({ signal }) => get("/api/settings", { signal }),
  });
}

export function useWelcome() {
  return useQuery({
    queryKey: ["server", "welcome"],
    queryFn: ({ signal }) => get("/api/welcome", { signal }),
  });
}

/** How a person starts a command where this daemon runs; answered without sign-in. */
export function useCommandName(): string {
  const { data } = useQuery({
    queryKey: ["command-name"],
    queryFn: ({ signal }) => get("/api/health", { signal }),
    staleTime: Infinity,
    select: ({ command }) => command,
  });
  // Works wherever npm does; `kuromajutsu` alone only where it is on PATH.
  return data ?? "npx kuromajutsu";
}
