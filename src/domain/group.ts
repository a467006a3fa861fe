import type { AgentId, GroupId } from "./ids.ts";
import { nextState, type Transitions } from "./transition.ts";

export const GROUP_MODES = ["concurrent", "sequential", "magentic"] as const;
export type GroupMode = (typeof GROUP_MODES)[number];

export const GROUP_STATUSES = ["active", "deleted"] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

export const GROUP_EVENTS = ["agents_added", "deleted"] as const;
export type GroupEvent = (typeof GROUP_EVENTS)[number];

export const GROUP_TRANSITIONS: Transitions<GroupStatus, GroupEvent> = {
  active: { agents_added: "active", deleted: "deleted" },
  deleted: {},
};

export type Group = {
  readonly id: GroupId;
  readonly description: string;
  readonly mode: GroupMode;
  readonly status: GroupStatus;
  readonly parentGroupId: GroupId | null;
  readonly orchestratorAgentId: AgentId | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly version: number;
};

export function applyToGroup(group: Group, event: GroupEvent, changes: Partial<Group> = {}): Group {
  return {
    ...group,
    ...changes,
    status: nextState(GROUP_TRANSITIONS, `Group ${group.id}`, group.status, event),
  };
}
