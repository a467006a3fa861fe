import type { RoleEdit } from "../../app/ports/config-file.ts";
import { isRecord } from "./explain-issue.ts";

/** What an edit means for the settings as plain data; the edited text must say exactly this. */
export function applyToSettings(settings: unknown, edit: RoleEdit): unknown {
  const whole = isRecord(settings) ? settings : {};
  const roles: readonly unknown[] = Array.isArray(whole["roles"]) ? whole["roles"] : [];
  return { ...whole, roles: applyToList(roles, edit) };
}

/** No list and an empty one mean the same. */
export function withRoleList(settings: unknown): unknown {
  return isRecord(settings) ? { ...settings, roles: settings["roles"] ?? [] } : settings;
}

function applyToList(roles: readonly unknown[], edit: RoleEdit): readonly unknown[] {
  const isIt = (role: unknown) => isRecord(role) && role["id"] === edit.id;
  if (edit.kind === "remove") return roles.filter((role) => !isIt(role));
  if (!roles.some(isIt)) return [...roles, withFields({ id: edit.id }, edit.fields)];
  return roles.map((role) => (isIt(role) && isRecord(role) ? withFields(role, edit.fields) : role));
}

function withFields(
  role: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): unknown {
  const merged = Object.entries({ ...role, ...fields });
  return Object.fromEntries(merged.filter(([key, value]) => value !== null || !(key in fields)));
}
