import type { Group, GroupMode } from "../../domain/groups/group.ts";
import { Refusal } from "../../domain/refusal.ts";

export function groupNotFound(id: string): Refusal {
  return new Refusal(
    "GROUP_NOT_FOUND",
    `There is no group ${id}.`,
    "Call create_group first and use the groupId it returns.",
  );
}

export function groupNotActive(group: Group): Refusal {
  return new Refusal(
    "GROUP_NOT_ACTIVE",
    `Group ${group.id} is ${group.status}.`,
    "Make a new group with create_group.",
  );
}

export function requireActive(group: Group | undefined, id: string, mode: GroupMode): Group {
  if (!group) throw groupNotFound(id);
  if (group.status !== "active") throw groupNotActive(group);
  if (group.mode !== mode) {
    throw new Refusal(
      "MODE_MISMATCH",
      `Group ${group.id} is ${group.mode}, not ${mode}.`,
      `Make a group with create_group(mode: "${mode}").`,
    );
  }
  return group;
}
