import { withConflicts } from "../../../../app/agents/get-agent-status.ts";
import { hostOf } from "../../../../app/agents/host-of.ts";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import * as contract from "../../../../contract/routes/agents.ts";
import { wireResult } from "../../../../contract/shapes/agents.ts";
import { costOfAgent } from "../../../../domain/agents/cost.ts";
import { reportedModelOf } from "../../../../domain/agents/result.ts";
import { defineRoute } from "../../define-route.ts";
import { cardsOf } from "../../wire.ts";

export const getAgent = defineRoute(contract.getAgent, {
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    const progress = await core.store.getProgress(agent.id);
    const { retries } = progress;
    const { prices } = core.settings;
    const stored = await core.store.getResult(agent.id);
    const result = stored && (await withConflicts(core.store, stored));
    const [card] = await cardsOf(core, [{ agent, ...progress }]);
    if (!card) throw new Error("One agent has one card.");
    const host = await hostOf(core, agent);
    return {
      ...card,
      prompt: await core.store.getPrompt(agent.id),
      workingDirectory: agent.workingDirectory,
      ...(host && { host }),
      access: agent.access,
      timeout_ms: agent.timeoutMs,
      stopReason: agent.stopReason,
      ...(agent.resumedAgentId !== null && { resumedAgentId: agent.resumedAgentId }),
      progress: {
        lastMessage: progress.lastMessage,
        editedFiles: [...progress.editedFiles],
        createdFiles: [...progress.createdFiles],
        ...(progress.deletedFiles.length > 0 && { deletedFiles: [...progress.deletedFiles] }),
        usage: progress.usage,
        ...reportedModelOf(agent, progress),
        ...(retries.count > 0 && {
          retries: { count: retries.count, lastReason: retries.lastReason },
        }),
        sessionId: progress.sessionId,
        ...(progress.lostSession !== null && { lostSession: progress.lostSession }),
        skippedLines: progress.skippedLines,
      },
      cost: costOfAgent(agent.model, progress, prices),
      result: result ? wireResult(result, prices) : null,
    };
  },
});
