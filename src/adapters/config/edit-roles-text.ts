import type { RoleEdit } from "../../app/ports/config-file.ts";
import { editListText } from "./edit-list-text.ts";

/** The text with one change of its roles. */
export function editRolesText(text: string, edit: RoleEdit): string {
  return editListText(text, ["roles"], edit);
}
