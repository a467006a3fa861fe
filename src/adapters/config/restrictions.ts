import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import { visibleLine } from "../../contract/visible-text.ts";
import { isBuiltinRole } from "./restrict-roles.ts";

/** A setting that allows a role less than its default. */
type Restriction = {
  readonly role: string;
  readonly setting: "mcpServers" | "access" | "disabled";
  readonly value: string;
};

const PREFIX = "restriction:";

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
    .some((role) => isBuiltinRole(role) || there.has(role));
}

/** The approval rules and the restrictions, for the person who decides about the file. */
export function describeRules(config: Config): readonly string[] {
  const { approval, approvals, unplannedTools } = config.tasks;
  const perKind = Object.entries(approvals).map(([kind, policy]) =>
    line(`tasks.approvals.${kind}`, policy),
  );
  const restrictions = restrictionsOf(config).map(({ role, setting, value }) =>
    line(`roles.${role}.${setting}`, value),
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

function restrictionsOf({ roles }: Config): readonly Restriction[] {
  return roles.flatMap(restrictionsOfRole);
}

function restrictionsOfRole(role: RoleSettings): readonly Restriction[] {
  const { id, access, disabled, mcpServers } = role;
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
    ...(disabled ? [{ role: id, setting: "disabled", value: "true" } as const] : []),
  ];
}
