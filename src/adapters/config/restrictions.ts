import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import { visibleLine } from "../../contract/visible-text.ts";
import { isBuiltinRole } from "./restrict-roles.ts";

/** A setting that allows a role, or all agents, less than its default. */
type Restriction = {
  readonly role: string;
  readonly setting: "mcpServers" | "access" | "isolation" | "labels" | "disabled" | "check";
  readonly value: string;
};

const PREFIX = "restriction:";

/** Stands for the section `workspace`, which is about agents of all roles. No role has this id. */
const ALL_AGENTS = "workspace/";

/** Identifies each restriction in the trust store, so that the loss of one is detected. */
export function restrictionMarks(config: Config): readonly string[] {
  return restrictionsOf(config).map(
    ({ role, setting, value }) => `${PREFIX}${role} ${setting} ${value}`,
  );
}

export function isRestriction(mark: string): boolean {
  return mark.startsWith(PREFIX);
}

/** A new role's restriction may disappear together with the role. */
export function hasLostRestriction(trusted: readonly string[], config: Config): boolean {
  const now = new Set(restrictionMarks(config));
  const there = new Set(config.roles.map(({ id }) => id));
  return trusted
    .filter((mark) => isRestriction(mark) && !now.has(mark))
    .map((mark) => mark.slice(PREFIX.length).split(" ")[0] ?? "")
    .some((role) => role === ALL_AGENTS || isBuiltinRole(role) || there.has(role));
}

/** The approval rules and the restrictions, for the person who decides about the file. */
export function describeRules(config: Config): readonly string[] {
  const { approval, approvals, unplannedTools } = config.tasks;
  const perKind = Object.entries(approvals).map(([kind, policy]) =>
    line(`tasks.approvals.${kind}`, policy),
  );
  const restrictions = restrictionsOf(config).map(({ role, setting, value }) =>
    line(role === ALL_AGENTS ? `workspace.${setting}` : `roles.${role}.${setting}`, value),
  );
  return [
    line("tasks.approval", approval),
    ...perKind,
    line("tasks.unplannedTools", unplannedTools),
    ...restrictions,
  ];
}

function line(name: string, value: unknown): string {
  return `${name}: ${visibleLine(typeof value === "string" ? value : JSON.stringify(value))}`;
}

function restrictionsOf({ roles, workspace }: Config): readonly Restriction[] {
  return [...restrictionsOfAll(workspace), ...roles.flatMap(restrictionsOfRole)];
}

/** Without its check a change would be merged unchecked, so a changed check counts as a lost one. */
function restrictionsOfAll({ isolation, check }: Config["workspace"]): readonly Restriction[] {
  return [
    ...(isolation === "worktree"
      ? [{ role: ALL_AGENTS, setting: "isolation", value: isolation } as const]
      : []),
    ...(check === undefined
      ? []
      : [{ role: ALL_AGENTS, setting: "check", value: JSON.stringify(check) } as const]),
  ];
}

function restrictionsOfRole(role: RoleSettings): readonly Restriction[] {
  const { id, access, isolation, disabled, mcpServers, labels = [] } = role;
  // Without a list the executor may use every server.
  const isList = id === "executor" && mcpServers !== undefined && !mcpServers.includes("*");
  const list = isList ? mcpServers.toSorted().join(", ") : undefined;
  return [
    ...(list === undefined
      ? []
      : [{ role: id, setting: "mcpServers", value: list || "none" } as const]),
    // The access of a new role is part of its power.
    ...(access === "read-only" && isBuiltinRole(id)
      ? [{ role: id, setting: "access", value: access } as const]
      : []),
    ...(isolation === "worktree" && isBuiltinRole(id)
      ? [{ role: id, setting: "isolation", value: isolation } as const]
      : []),
    // One by one: a role may get further labels.
    ...labels.map((label) => ({ role: id, setting: "labels", value: label }) as const),
    ...(disabled ? [{ role: id, setting: "disabled", value: "true" } as const] : []),
  ];
}
