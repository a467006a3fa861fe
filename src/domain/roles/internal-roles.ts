import type { Locale } from "../locale.ts";
import { type BuiltinRole, DEFAULT_HEALTH_CHECK_PROMPT } from "./builtin-roles.ts";
import { INTERNAL_ROLES, type InternalRole } from "./internal-role.ts";
import { DRAFTER_RULES } from "./prompts/drafter-rules.ts";
import { EXECUTOR } from "./prompts/executor.ts";
import { PLANNER } from "./prompts/planner.ts";
import { PROCESS_DESIGNER } from "./prompts/process-designer.ts";
import type { RoleTexts } from "./prompts/role-texts.ts";
import { TASK_ANALYST } from "./prompts/task-analyst.ts";
import type { Role } from "./role.ts";

/**
 * A role that drafts or executes tasks. The configuration may change it; clients cannot start it.
 */
export type InternalRoleDefinition = BuiltinRole &
  Pick<Role, "mcpServers"> & { readonly id: InternalRole };

const TEXTS: Record<InternalRole, Record<Locale, RoleTexts>> = {
  "task-analyst": TASK_ANALYST,
  planner: PLANNER,
  "process-designer": PROCESS_DESIGNER,
  executor: EXECUTOR,
};

export function internalRoles(locale: Locale): readonly InternalRoleDefinition[] {
  return INTERNAL_ROLES.map((id) => {
    const { name, description, prompt } = TEXTS[id][locale];
    const isExecutor = id === "executor";
    return {
      id,
      name,
      description,
      model: "claude-4-sonnet",
      systemPrompt: isExecutor ? prompt : `${prompt}\n${DRAFTER_RULES[locale]}`,
      healthCheckPrompt: DEFAULT_HEALTH_CHECK_PROMPT,
      access: isExecutor ? "read-write" : "read-only",
      tools: [],
      mcpServers: isExecutor ? ["*"] : [],
    };
  });
}

export function isInternalRole(id: string): id is InternalRole {
  return INTERNAL_ROLES.some((known) => known === id);
}
