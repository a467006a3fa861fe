import { create } from "zustand";
import type { WireEvent } from "../../../src/contract/events/events.ts";
import type { LiveState } from "../../../src/contract/live.ts";
import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { WireGroup } from "../../../src/contract/shapes/groups.ts";
import type { WireRunnerProblem } from "../../../src/contract/shapes/health.ts";
import type { WireRole } from "../../../src/contract/shapes/role-summary.ts";
import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import { applyEvents } from "./apply.ts";

export type Connection = {
  readonly status: "connecting" | "live" | "lost" | "signed-out";
  /** When what is shown was last known to be true. */
  readonly asOf: number | null;
  readonly seq: number;
  readonly eventsPerSecond: number;
  readonly latencyMs: number | null;
};

/** Everything live, by id; pages select the little they show. */
export type LiveStore = {
  readonly connection: Connection;
  readonly version: string;
  readonly models: readonly string[];
  readonly agents: ReadonlyMap<string, AgentCard>;
  readonly groups: ReadonlyMap<string, WireGroup>;
  readonly tasks: ReadonlyMap<string, WireTask>;
  readonly approvals: ReadonlyMap<string, WireApproval>;
  /** How many wait in all; `approvals` may have fewer. */
  readonly pendingApprovals: number;
  readonly roles: readonly WireRole[];
  /** By runner: those that are signed out or at a limit. */
  readonly problems: ReadonlyMap<string, WireRunnerProblem>;
  readonly health: unknown;
};

const EMPTY: LiveStore = {
  connection: { status: "connecting", asOf: null, seq: 0, eventsPerSecond: 0, latencyMs: null },
  version: "",
  models: [],
  agents: new Map(),
  groups: new Map(),
  tasks: new Map(),
  approvals: new Map(),
  pendingApprovals: 0,
  roles: [],
  problems: new Map(),
  health: null,
};

export const useLive = create<LiveStore>(() => EMPTY);

export function replaceState(state: LiveState): void {
  useLive.setState({
    version: state.server.version,
    models: state.server.availableModels,
    agents: new Map(state.agents.map((agent) => [agent.agentId, agent])),
    groups: new Map(state.groups.map((group) => [group.groupId, group])),
    tasks: new Map(state.tasks.map((task) => [task.taskId, task])),
    approvals: new Map(state.approvals.map((approval) => [approval.approvalId, approval])),
    pendingApprovals: state.pendingApprovals,
    roles: state.roles,
    problems: new Map(state.problems?.map((problem) => [problem.runner, problem])),
    health: state.health,
  });
}

export function applyToStore(events: readonly WireEvent[]): void {
  useLive.setState((state) => applyEvents(state, events));
}

export function setConnection(change: Partial<Connection>): void {
  useLive.setState(({ connection }) => ({ connection: { ...connection, ...change } }));
}

/** The sign-in has ended: clears all data, so that the shell shows only the sign-in page. */
export function setSignedOut(): void {
  if (useLive.getState().connection.status === "signed-out") return;
  useLive.setState({ ...EMPTY, connection: { ...EMPTY.connection, status: "signed-out" } });
}
