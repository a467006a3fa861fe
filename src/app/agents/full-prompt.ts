import type { Agent } from "../../domain/agents/agent.ts";
import { buildFullPrompt } from "../../domain/agents/prompt.ts";
import type { AgentResult } from "../../domain/agents/result.ts";
import { renderPreviousStage } from "../../domain/groups/previous-stage.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";

/** The complete prompt, assembled from its layers when the agent is started. */
export async function fullPromptOf(core: Core, agent: Agent): Promise<string> {
  const role = roleOf(core, agent);
  return buildFullPrompt({
    agentId: agent.id,
    groupId: agent.groupId,
    role,
    toolName: (tool) => core.runners.get(agent.runner)?.toolName(tool) ?? tool,
    tools: role.tools.flatMap((id) => core.roleTools.get(id) ?? []),
    previousStageResults: await previousStageOf(core, agent),
    userPrompt: await core.store.getPrompt(agent.id),
    worktree: (agent.workspaceId && (await core.store.getWorkspace(agent.workspaceId))) || null,
  });
}

function roleOf(core: Core, agent: Agent): Role {
  const role = core.roles.get(agent.role) ?? core.internalRoles.get(agent.role);
  if (role) return role;
  throw new Refusal("ROLE_NOT_FOUND", {
    en: [
      `Role ${agent.role} is no longer in the configuration.`,
      "Put it back, or run the agent with another role.",
    ],
    ja: [
      `職種 ${agent.role} は設定からなくなりました。`,
      "設定に戻すか、別の職種で実行してください。",
    ],
  });
}

/** All results of the previous stage, never truncated. */
async function previousStageOf(core: Core, agent: Agent): Promise<string | null> {
  if (agent.stageIndex === null || agent.stageIndex === 0) return null;
  const stage = agent.stageIndex - 1;
  const results: AgentResult[] = [];
  for (const { id } of await core.store.listStageAgents(agent.groupId, stage)) {
    const result = await core.store.getResult(id);
    if (result) results.push(result);
  }
  return renderPreviousStage(stage, results);
}
