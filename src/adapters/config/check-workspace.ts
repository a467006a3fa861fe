import { fieldsOf } from "../../base/narrow.ts";
import { defaultConfig } from "../../contract/config/defaults.ts";
import { INTERNAL_ROLES } from "../../domain/roles/internal-role.ts";
import type { SettingProblem } from "./explain-issue.ts";

const INTERNAL: readonly unknown[] = INTERNAL_ROLES;

/** What the schema of `workspace` and of one role cannot see. Works on the raw data. */
export function checkWorkspace(value: unknown): readonly SettingProblem[] {
  const { roles, workspace } = fieldsOf(value);
  const list: readonly unknown[] = Array.isArray(roles) ? roles : [];
  return [...checkPorts(fieldsOf(workspace)["ports"]), ...list.flatMap(checkIsolation)];
}

function checkPorts(ports: unknown): readonly SettingProblem[] {
  const defaults = defaultConfig().workspace.ports;
  const { from = defaults.from, to = defaults.to, perAgent = defaults.perAgent } = fieldsOf(ports);
  // The schema reports values that are not numbers.
  if (typeof from !== "number" || typeof to !== "number" || typeof perAgent !== "number") return [];
  const path = ["workspace", "ports"];
  if (from > to) {
    const text = {
      en: `workspace.ports: from (${from}) is larger than to (${to}); write the first and the last port of the range`,
      ja: `workspace.ports: from (${from}) が to (${to}) より大きくなっています。範囲の最初と最後のポートを書いてください`,
    };
    return [{ path, text }];
  }
  const size = to - from + 1;
  if (perAgent <= size) return [];
  const text = {
    en: `workspace.ports: from ${from} to ${to} are ${size} ports, fewer than perAgent (${perAgent}); choose a larger range or a smaller perAgent`,
    ja: `workspace.ports: ${from} から ${to} は ${size} ポートで、perAgent (${perAgent}) に足りません。範囲を広げるか perAgent を減らしてください`,
  };
  return [{ path, text }];
}

/** Roles that draft and execute tasks work where the person asked. */
function checkIsolation(role: unknown, index: number): readonly SettingProblem[] {
  const { id, isolation } = fieldsOf(role);
  if (isolation === undefined || isolation === "none" || !INTERNAL.includes(id)) return [];
  const text = {
    en: `roles[${index}].isolation: agents of "${String(id)}" work on tasks and never have worktrees of their own; remove this line`,
    ja: `roles[${index}].isolation: 「${String(id)}」のエージェントはタスクを進める役で、専用の作業ツリーを持ちません。この行を消してください`,
  };
  return [{ path: ["roles", index, "isolation"], text }];
}
