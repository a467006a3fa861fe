import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { fieldsOf } from "../../../src/base/narrow.ts";
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
    const row = rowOf(event);
    if (row !== undefined) wanted.add(row);
    if (row === "roles") stale.add("config");
    // A runner that is passed over changes the runner of its roles.
    if (area === "runner") stale.add("healthcheck");
    if (event.type === "group:left_view") left.add(event.data.groupId);
    // The usage of an agent is added to its day when it ends.
    if (event.type === "agent:completed") stale.add("usage");
    if (taskId) stale.add(`task ${taskId}`);
    if (event.type === "agent:status_update") return;
    stale.add(area);
    // The audit has no event of its own, and most changes by people are audited.
    stale.add("audit newest");
    if (agentId) stale.add(`agent ${agentId}`);
    if ("workspaceId" in event.data) {
      stale.add("workspace");
      stale.add(`change ${event.data.workspaceId}`);
      if (agentId) stale.add(`change ${agentId}`);
    }
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

/** What is read again. Undefined: apply.ts does the rest, or nothing in the state changes. */
function rowOf(event: WireEvent): string | undefined {
  switch (event.type) {
    case "task:created":
    case "task:updated":
      return `task ${event.data.taskId}`;
    case "approval:requested":
    case "approval:voted":
    case "approval:extended":
    case "approval:reminded":
      return `approval ${event.data.approvalId}`;
    case "group:created":
    case "group:stage_advanced":
    case "magentic:iteration_started":
    case "magentic:stalled":
    case "magentic:ledger_updated":
      return `group ${event.data.groupId}`;
    // Whether a role can be used is in no event.
    case "config:updated":
    case "healthcheck:model_validation":
    case "healthcheck:complete":
    case "runner:problem":
    case "runner:ready":
      return "roles";
    case "person:signed_out":
    case "group:deleted":
    case "group:left_view":
    case "agent:created":
    case "agent:status_update":
    case "agent:session_lost":
    case "agent:degraded":
    case "agent:connected":
    case "agent:result_reported":
    case "agent:completed":
    case "agent:tool_call":
    case "agent:left_view":
    case "task:draft_sent_back":
    case "execution:created":
    case "execution:updated":
    case "execution:tool_call":
    case "approval:decided":
    case "approval:expired":
    case "approval:closed":
    case "notification:created":
    case "notification:announced":
    case "notification:read":
    case "notification:reopened":
    case "notification:expired":
    case "notification:cleared":
    case "alert:raised":
    case "alert:delivery":
    case "schedule:created":
    case "schedule:updated":
    case "schedule:removed":
    case "schedule:ran":
    case "gateway:server_changed":
    case "gateway:tools_changed":
    case "gateway:tool_quarantined":
    case "gateway:tool_accepted":
    case "healthcheck:role_start":
    case "healthcheck:role_complete":
    case "healthcheck:runner_complete":
    case "workspace:updated":
    case "workspace:overlaps_changed":
    case "change:commented":
    case "change:sent_back":
    case "merge:updated":
      return undefined;
  }
  // Only a page that is older than its daemon gets here.
  event satisfies never;
  return undefined;
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
  if (area === "change" && id !== undefined) return invalidateChange(client, id);
  if (id !== undefined) return client.invalidateQueries({ queryKey: [area, id] });
  return client.invalidateQueries({ queryKey: [area], predicate: isOfMany });
}

/**
 * A change is read by the id of its workspace or of any agent that worked on it; events name the
 * workspace and the last agent.
 */
function invalidateChange(client: QueryClient, id: string): Promise<void> {
  return client.invalidateQueries({
    queryKey: ["change"],
    predicate: ({ queryKey: [, about], state }) =>
      about === id || fieldsOf(fieldsOf(state.data)["workspace"])["workspaceId"] === id,
  });
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
