import { z } from "zod";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { resultShape, usageShape, wireResult } from "../../../../contract/agent-shapes.ts";
import { agentCardShape } from "../../../../contract/dashboard-shapes.ts";
import { costFields } from "../../../../contract/record-shapes.ts";
import { costOfAgent } from "../../../../domain/agents/cost.ts";
import { defineRoute } from "../../define-route.ts";
import { cardOf } from "../../wire.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const getAgent = defineRoute({
  method: "get",
  path: "/api/agents/{id}",
  summary: "One agent: what it was asked, how far it is, and its result.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: agentCardShape.extend({
    prompt: z.string().describe("What the caller asked for, without what we add to it"),
    workingDirectory: z.string(),
    access: z.enum(["read-only", "read-write"]),
    timeout_ms: z.number().nullable(),
    stopReason: z.string().nullable(),
    progress: z.object({
      lastMessage: z.string(),
      editedFiles: z.array(z.string()),
      createdFiles: z.array(z.string()),
      usage: usageShape.nullable(),
      sessionId: z.string().nullable(),
      skippedLines: z.number(),
    }),
    cost: z.object(costFields).describe("Of the tokens seen so far"),
    result: resultShape.nullable(),
  }),
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    const progress = await core.store.getProgress(agent.id);
    const result = await core.store.getResult(agent.id);
    return {
      ...cardOf(core, { agent, ...progress }),
      prompt: await core.store.getPrompt(agent.id),
      workingDirectory: agent.workingDirectory,
      access: agent.access,
      timeout_ms: agent.timeoutMs,
      stopReason: agent.stopReason,
      progress: {
        lastMessage: progress.lastMessage,
        editedFiles: [...progress.editedFiles],
        createdFiles: [...progress.createdFiles],
        usage: progress.usage,
        sessionId: progress.sessionId,
        skippedLines: progress.skippedLines,
      },
      cost: costOfAgent(agent.model, progress.usage, core.settings.prices),
      result: result ? wireResult(result) : null,
    };
  },
});
