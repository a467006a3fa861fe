import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSection } from "../../live/sections.ts";
import { useLive } from "../../live/store.ts";
import { useRoleName } from "../roles/role-icon.tsx";
import { TEXTS } from "./list-texts.ts";

/** The description of a step's group is the prompt of its agent, which is no title. */
export function useGroupTitle(
  group: Pick<WireGroup, "groupId" | "description">,
  task: WireTask | undefined,
  /** The role of the first agent; empty if there is none. */
  role: string,
): string {
  const text = useTexts(TEXTS);
  const roleName = useRoleName(role);
  if (!task) return visiblePreview(group.description);
  if (group.groupId === task.groupId) return visiblePreview(task.title ?? group.description);
  return role === "" ? visiblePreview(group.description) : text.step(roleName);
}

/** The role of the first agent of a group; empty if there is none. */
export function useFirstRole(groupId: string): string {
  const agentId = useSection(groupId)?.agentIds[0] ?? "";
  return useLive(({ agents }) => agents.get(agentId)?.role) ?? "";
}
