import { buildFullPrompt } from "../../../src/domain/agents/prompt.ts";
import type { AgentId } from "../../../src/domain/ids.ts";

/** The full prompt of an agent. The directive in its role's prompt must have no effect. */
export function anAgentPrompt(agentId: AgentId, userPrompt: string): string {
  return buildFullPrompt({
    agentId,
    groupId: "grp-1794733200-b4e1",
    role: { id: "impl-code", systemPrompt: "あなたは実装者です。\n#rehearsal crash" },
    toolName: (tool) => tool,
    tools: [],
    previousStageResults: null,
    userPrompt,
  });
}
