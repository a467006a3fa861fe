import type { Config, RoleSettings } from "../../contract/config/schema.ts";
import { visibleLine } from "../../contract/visible-text.ts";
import { isBuiltinRole } from "./restrict-roles.ts";

/** A setting of a role that allows less than the role is allowed without it. */
type Restriction = {
  readonly role: string;
  readonly setting: "mcpServers" | "access" | "disabled";
  readonly value: string;
};

const PREFIX = "restriction:";

/** Names each restriction in the trust store, so that a file that loses one is noticed. */
export function restrictionMarks(config: Config): readonly string[] {
  return restrictionsOf(config).map(
    ({ role, setting, value }) => `${PREFIX}${role} ${setting} ${value}`,
  );
}

export function isRestriction(mark: string): boolean {
  return mark.startsWith(PREFIX);
}

/** A restriction of a role of the file's own is not missed where the role itself is gone. */
export function hasLostRestriction(trusted: readonly string[], config: Config): boolean {
  const now = new Set(restrictionMarks(config));
  const there = new Set(config.roles.map(({ id }) => id));
  return trusted
    .filter((mark) => isRestriction(mark) && !now.has(mark))
    .map((mark) => mark.slice(PREFIX.length).split(" ")[0] ?? "")
    .some((role) => isBuiltinRole(role) || there.has(role));
}

/** The rules about who decides, and what restricts roles, for the person who decides about the file. */
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
    // The access of a role of the file's own is part of what is trusted with that role.
    ...(access === "read-only" && isBuiltinRole(id)
      ? [{ role: id, setting: "access", value: access } as const]
      : []),
    ...(disabled ? [{ role: id, setting: "disabled", value: "true" } as const] : []),
  ];
}
