import { requireAgent } from "../../../../app/agents/require-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { wireResult } from "../../../../contract/shapes/agents.ts";
import { costOfAgent } from "../../../../domain/agents/cost.ts";
import { defineRoute } from "../../define-route.ts";
import { cardOf } from "../../wire.ts";

export const getAgent = defineRoute(contract.getAgent, {
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    const progress = await core.store.getProgress(agent.id);
    const { prices } = core.settings;
    const result = await core.store.getResult(agent.id);
    return {
      ...cardOf(core, { agent, ...progress }),
      prompt: await core.store.getPrompt(agent.id),
      workingDirectory: agent.workingDirectory,
      access: agent.access,
      timeout_ms: agent.timeoutMs,
      stopReason: agent.stopReason,
      ...(agent.resumedAgentId !== null && { resumedAgentId: agent.resumedAgentId }),
      progress: {
        lastMessage: progress.lastMessage,
        editedFiles: [...progress.editedFiles],
        createdFiles: [...progress.createdFiles],
        deletedFiles: [...progress.deletedFiles],
        usage: progress.usage,
        reportedModel: progress.reportedModel,
        retries: { count: progress.retries.count, lastReason: progress.retries.lastReason },
        sessionId: progress.sessionId,
        ...(progress.lostSession !== null && { lostSession: progress.lostSession }),
        skippedLines: progress.skippedLines,
      },
      cost: costOfAgent(agent.model, progress, prices),
      result: result ? wireResult(result, prices) : null,
    };
  },
});
