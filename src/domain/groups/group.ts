import type { AgentId, GroupId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";
import type { Ledger } from "./ledger.ts";

export const GROUP_MODES = ["concurrent", "sequential", "magentic"] as const;
export type GroupMode = (typeof GROUP_MODES)[number];

export const GROUP_STATUSES = ["active", "deleted"] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

export const GROUP_EVENTS = [
  "agents_added",
  "stage_advanced",
  "ledger_updated",
  "deleted",
] as const;
export type GroupEvent = (typeof GROUP_EVENTS)[number];

export const GROUP_TRANSITIONS: Transitions<GroupStatus, GroupEvent> = {
  active: {
    agents_added: "active",
    stage_advanced: "active",
    ledger_updated: "active",
    deleted: "deleted",
  },
  deleted: {},
};

/** Sequential mode: one stage after the other, the agents of a stage in parallel. */
export type Stages = {
  readonly total: number;
  /** The stage whose agents may run; equal to `total` after the last one. */
  readonly current: number;
  readonly onFailure: "continue" | "stop";
};

/** Magentic mode: what the server counts, whether or not the orchestrator keeps a ledger. */
export type Magentic = {
  readonly maxIterations: number;
  readonly availableRoles: readonly string[];
  readonly iterations: number;
  /** Stalls in a row; progress resets this to 0. */
  readonly stalls: number;
  /** The iteration of the last progress ledger; 0: there is none. */
  readonly ledgerAt: number;
  /** Hash of role and prompt of every agent of the last iteration: repeating it is a stall. */
  readonly fingerprint: string | null;
  readonly lastAgents: readonly AgentId[];
  readonly ledger: Ledger;
};

export type Group = {
  readonly id: GroupId;
  readonly description: string;
  readonly mode: GroupMode;
  readonly status: GroupStatus;
  readonly parentGroupId: GroupId | null;
  readonly orchestratorAgentId: AgentId | null;
  readonly stages: Stages | null;
  readonly magentic: Magentic | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly version: number;
};

export function applyToGroup(group: Group, event: GroupEvent, changes: Partial<Group> = {}): Group {
  return {
    ...group,
    ...changes,
    status: nextState(
      GROUP_TRANSITIONS,
      { en: `Group ${group.id}`, ja: `グループ ${group.id} ` },
      group.status,
      event,
    ),
  };
}
