import type { Group, GroupMode, Magentic } from "../../domain/groups/group.ts";
import { groupId as makeGroupId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { drawId } from "../draw-id.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { descendantsOf } from "./descendants-of.ts";
import { findMagentic } from "./find-magentic.ts";
import { requireActiveGroup } from "./require-group.ts";
import { requireOwnTree } from "./require-own-tree.ts";

export type CreateGroup = {
  readonly description: string;
  readonly mode: GroupMode;
  readonly parentGroupId: string | null;
};

/** Creates a group. The group of an orchestrator that calls this becomes its parent. */
export async function createGroup(
  core: Core,
  identity: Identity,
  input: CreateGroup,
): Promise<Group> {
  if (input.mode === "magentic") {
    throw new Refusal("MODE_MISMATCH", {
      en: ["Only run_magentic creates a magentic group.", 'Use mode "concurrent" or "sequential".'],
      ja: [
        "magentic のグループを作るのは run_magentic だけです。",
        'mode に "concurrent" か "sequential" を指定してください。',
      ],
    });
  }
  return core.store.transaction(async (unit) => {
    const parent = await parentFor(unit, identity, input.parentGroupId);
    await requireRoomForGroup(unit, identity);
    return insertGroup(core, unit, { ...input, parentGroupId: parent?.id ?? null, magentic: null });
  });
}

/** The most active groups below the group of one orchestrator. */
const MAX_GROUPS = 100;

/** Without a limit, an orchestrator in a loop would flood every dashboard with groups. */
async function requireRoomForGroup(unit: UnitOfWork, identity: Identity): Promise<void> {
  if (identity.kind !== "agent") return;
  const own = await unit.getAgent(identity.agentId);
  if (!own) return;
  const groups = await descendantsOf({ store: unit }, own.groupId);
  if (groups.filter(({ status }) => status === "active").length < MAX_GROUPS) return;
  throw new Refusal("TOO_MANY_OPEN", {
    en: [
      `You have ${MAX_GROUPS} groups.`,
      "Use one of them, or delete those you have finished with (delete_group).",
    ],
    ja: [
      `グループが ${MAX_GROUPS} 個あります。`,
      "そのどれかを使うか、使い終わったものを削除してください（delete_group）。",
    ],
  });
}

export async function insertGroup(
  core: Core,
  unit: UnitOfWork,
  input: Pick<Group, "description" | "mode" | "parentGroupId"> & {
    readonly magentic: Magentic | null;
  },
): Promise<Group> {
  const now = core.clock.now();
  const draft = {
    description: input.description,
    mode: input.mode,
    status: "active",
    parentGroupId: input.parentGroupId,
    orchestratorAgentId: null,
    stages: null,
    magentic: input.magentic,
    createdAt: now,
    deletedAt: null,
    version: 1,
  } as const;
  const id = await drawId(
    core.random,
    (hex) => makeGroupId(now, hex),
    (candidate) => unit.insertGroup({ ...draft, id: candidate }),
  );
  await unit.emit({
    type: "group:created",
    groupId: id,
    agentId: null,
    data: {
      description: input.description,
      mode: input.mode,
      ...(input.parentGroupId === null ? {} : { parentGroupId: input.parentGroupId }),
    },
    at: now,
  });
  return { ...draft, id };
}

async function parentFor(
  unit: UnitOfWork,
  identity: Identity,
  asked: string | null,
): Promise<Group | null> {
  const own = identity.kind === "agent" ? await unit.getAgent(identity.agentId) : undefined;
  const id = asked ?? own?.groupId ?? null;
  if (id === null) return null;
  const parent = await requireActiveGroup(unit, id);
  await requireOwnTree(unit, identity, await findMagentic(unit, parent), parent);
  return parent;
}
