import type { Group, GroupMode } from "../domain/group.ts";
import { groupId as makeGroupId } from "../domain/ids.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Core } from "./core.ts";
import { drawId } from "./draw-id.ts";
import type { UnitOfWork } from "./ports/store.ts";

export type CreateGroup = {
  readonly description: string;
  readonly mode: GroupMode;
  readonly parentGroupId: string | null;
};

/** Every agent belongs to a group; this makes one. */
export async function createGroup(core: Core, input: CreateGroup): Promise<Group> {
  if (input.mode === "magentic") {
    throw new Refusal(
      "MODE_MISMATCH",
      "A magentic group is made by run_magentic only.",
      'Use mode "concurrent" or "sequential".',
    );
  }
  const now = core.clock.now();
  const { group, event } = await core.store.transaction(async (unit) => {
    const parent = await requireParent(unit, input.parentGroupId);
    const draft = {
      description: input.description,
      mode: input.mode,
      status: "active",
      parentGroupId: parent?.id ?? null,
      orchestratorAgentId: null,
      createdAt: now,
      deletedAt: null,
      version: 1,
    } as const;
    const id = await drawId(
      core.random,
      (hex) => makeGroupId(now, hex),
      (candidate) => unit.insertGroup({ ...draft, id: candidate }),
    );
    const stored = await unit.appendEvent({
      type: "group:created",
      groupId: id,
      agentId: null,
      data: { description: input.description, mode: input.mode },
      at: now,
    });
    return { group: { ...draft, id }, event: stored };
  });
  core.live.publish([event]);
  return group;
}

async function requireParent(unit: UnitOfWork, id: string | null): Promise<Group | null> {
  if (id === null) return null;
  const parent = await unit.getGroup(id);
  if (!parent) throw groupNotFound(id);
  if (parent.status !== "active") throw groupNotActive(parent);
  return parent;
}

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
