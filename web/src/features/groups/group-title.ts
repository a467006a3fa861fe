import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { visiblePreview } from "../../../../src/contract/visible-text.ts";
import { useTexts } from "../../i18n/texts.ts";
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
