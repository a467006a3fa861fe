import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import type { RoleTool } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { eachAtMost } from "../each-at-most.ts";
import type { RoleToolCheck } from "../ports/check-command.ts";

export type RoleToolView = {
  readonly tool: RoleTool;
  readonly builtin: boolean;
  readonly usedBy: readonly string[];
  /** null: no check was requested, or the tool has no check command. */
  readonly outcome: RoleToolCheck | null;
};

const CHECKS_AT_ONCE = 4;

/** All role tools. With `check`, each tool's check command shows whether it is installed. */
export async function listRoleTools(
  core: Core,
  { check }: { readonly check: boolean },
): Promise<readonly RoleToolView[]> {
  const tools = [...core.roleTools.values()];
  const outcomes = new Map<string, RoleToolCheck>();
  if (check) {
    await eachAtMost(CHECKS_AT_ONCE, tools, async (tool) => {
      const outcome = await run(core, tool);
      if (outcome) outcomes.set(tool.id, outcome);
    });
  }
  return tools.map((tool) => ({
    tool,
    builtin: BUILTIN_TOOLS.includes(tool),
    usedBy: [...core.roles.values()]
      .filter((role) => role.tools.includes(tool.id))
      .map(({ id }) => id),
    outcome: outcomes.get(tool.id) ?? null,
  }));
}

/** The default working directory of agents, because a tool is often installed in the project. */
async function run(core: Core, { check }: RoleTool): Promise<RoleToolCheck | undefined> {
  return check ? core.checkCommand?.(check, core.settings.homeDirectory) : undefined;
}
