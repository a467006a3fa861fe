import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { WireEvent } from "../../../src/contract/events/events.ts";
import type { WireRole } from "../../../src/contract/shapes/role-summary.ts";
import type { RolesAnswer } from "../../../src/contract/shapes/roles.ts";
import { get } from "../api/http.ts";
import { useLive } from "./store.ts";

const WAIT_MS = 100;

/**
 * Events say that something changed; what a card needs beyond that is read again, once for many
 * events. Pages' own queries are marked stale the same way.
 */
export function createRefetch(client: QueryClient) {
  const wanted = new Set<string>();
  const stale = new Set<string>();
  /** Groups that left the view: an answer that was read before must not bring one back. */
  const left = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function note(event: WireEvent): void {
    const [area = ""] = event.type.split(":");
    const { groupId, agentId, taskId } = idsOf(event);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing here
    switch (event.type) {
      case "task:created":
      case "task:updated":
        wanted.add(`task ${taskId}`);
        break;
      case "approval:requested":
      case "approval:voted":
      case "approval:extended":
      case "approval:reminded":
        wanted.add(`approval ${event.data.approvalId}`);
        break;
      case "group:left_view":
        left.add(event.data.groupId);
        break;
      case "group:created":
      case "group:stage_advanced":
      case "magentic:iteration_started":
      case "magentic:stalled":
      case "magentic:ledger_updated":
        wanted.add(`group ${groupId}`);
        break;
      // Whether a role can be used is in no event.
      case "config:updated":
      case "healthcheck:model_validation":
      case "healthcheck:complete":
        wanted.add("roles");
        stale.add("config");
        break;
      // The usage of an agent is added to its day when it ends.
      case "agent:completed":
        stale.add("usage");
        break;
      default:
    }
    if (taskId) stale.add(`task ${taskId}`);
    if (event.type === "agent:status_update") return;
    stale.add(area);
    // The audit has no event of its own, and most changes by people are audited.
    stale.add("audit newest");
    if (agentId) stale.add(`agent ${agentId}`);
    if (groupId) stale.add(`group ${groupId}`);
  }

  function flushSoon(): void {
    if (wanted.size + stale.size > 0) timer ??= setTimeout(() => void flush(), WAIT_MS);
  }

  /** One after the other: events that keep coming must not cancel every answer on its way. */
  async function flush(): Promise<void> {
    const now = [...wanted];
    const old = [...stale];
    wanted.clear();
    stale.clear();
    await Promise.allSettled([
      ...old.map((key) => invalidate(client, key)),
      ...now.map((key) => fetchOne(key, left)),
    ]);
    timer = undefined;
    flushSoon();
  }

  return (events: readonly WireEvent[]): void => {
    for (const event of events) note(event);
    flushSoon();
  };
}

function idsOf({ data }: WireEvent) {
  return {
    groupId: "groupId" in data ? data.groupId : undefined,
    agentId: "agentId" in data ? data.agentId : undefined,
    taskId: "taskId" in data ? data.taskId : undefined,
  };
}

/** What is shown of one task, agent or group is old only when an event names it. */
const OF_ONE = /^(?:task-|grp-)|-\d+-[0-9a-f]{4}$/;

function invalidate(client: QueryClient, key: string): Promise<void> {
  const [area, id] = key.split(" ");
  if (id !== undefined) return client.invalidateQueries({ queryKey: [area, id] });
  return client.invalidateQueries({ queryKey: [area], predicate: isOfMany });
}

function isOfMany({ queryKey: [, about] }: { readonly queryKey: QueryKey }): boolean {
  return !(typeof about === "string" && OF_ONE.test(about));
}

async function fetchOne(key: string, left: ReadonlySet<string>): Promise<void> {
  const [kind = "", id = ""] = key.split(" ");
  const params = { id };
  if (kind === "task") {
    const task = await get("/api/tasks/{id}", { params });
    useLive.setState(({ tasks }) => ({ tasks: new Map(tasks).set(id, task) }));
  } else if (kind === "approval") {
    const approval = await get("/api/approvals/{id}", { params, query: { clip: "true" } });
    useLive.setState(({ approvals }) => {
      const next = new Map(approvals);
      if (approval.status === "pending") next.set(id, approval);
      else next.delete(id);
      return { approvals: next };
    });
  } else if (kind === "roles") {
    const { roles } = await get("/api/roles");
    useLive.setState({ roles: roles.map(summaryOf) });
  } else if (kind === "group") {
    const group = await get("/api/groups/{id}", { params });
    if (left.has(id)) return;
    useLive.setState(({ groups }) => ({ groups: new Map(groups).set(id, group) }));
  }
}

function summaryOf(role: RolesAnswer["roles"][number]): WireRole {
  const { id, name, description, modelInUse, runnerInUse, available, reason } = role;
  const why = reason === null ? {} : { reason };
  return { id, name, description, model: modelInUse, runner: runnerInUse, available, ...why };
}
