import { useQuery } from "@tanstack/react-query";
import type { DaemonStatus } from "../../../src/contract/hello.ts";
import type { WireGatewayServer } from "../../../src/contract/shapes/gateway.ts";
import type {
  WireHealth,
  WireRunnerModels,
  WireSystem,
} from "../../../src/contract/shapes/health.ts";
import type { RolesAnswer, RoleToolDetails } from "../../../src/contract/shapes/roles.ts";
import type { WireSettings, WireWelcome } from "../../../src/contract/shapes/settings.ts";
import { get } from "./http.ts";

/** Queries that several pages share. The first part of a query key is the area of the events that invalidate it. */
export function useRoles() {
  return useQuery({
    queryKey: ["config", "roles"],
    queryFn: ({ signal }) => get<RolesAnswer>("/api/roles", signal),
  });
}

export function useRoleTools() {
  return useQuery({
    queryKey: ["config", "role-tools"],
    queryFn: ({ signal }) => get<{ tools: readonly RoleToolDetails[] }>("/api/role-tools", signal),
  });
}

export function useModels() {
  return useQuery({
    queryKey: ["healthcheck", "models"],
    queryFn: ({ signal }) => get<{ models: readonly WireRunnerModels[] }>("/api/models", signal),
  });
}

export function useHealthCheck() {
  return useQuery({
    queryKey: ["healthcheck", "state"],
    queryFn: ({ signal }) => get<WireHealth>("/api/health-check", signal),
  });
}

export function useSystem() {
  return useQuery({
    queryKey: ["healthcheck", "system"],
    queryFn: ({ signal }) => get<WireSystem>("/api/system", signal),
  });
}

export function useGateway() {
  return useQuery({
    queryKey: ["gateway", "servers"],
    queryFn: ({ signal }) => get<{ servers: readonly WireGatewayServer[] }>("/api/gateway", signal),
  });
}

export function useDaemon() {
  return useQuery({
    queryKey: ["server", "daemon"],
    queryFn: ({ signal }) => get<DaemonStatus>("/api/health", signal),
  });
}

export function useSettings() {
  return useQuery({
    queryKey: ["config", "settings"],
    queryFn: ({ signal }) => get<WireSettings>("/api/settings", signal),
  });
}

export function useWelcome() {
  return useQuery({
    queryKey: ["server", "welcome"],
    queryFn: ({ signal }) => get<WireWelcome>("/api/welcome", signal),
  });
}
