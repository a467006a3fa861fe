import { expect, test } from "vitest";
import { answerOf } from "../../../../../test/kit/call-own-tool.ts";
import { aCore } from "../../../../../test/kit/core.ts";
import { aRunningAgent } from "../../../../../test/kit/running-agent.ts";

test("a row has all that the specification names, in the same words", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  expect(await answerOf(core, "list_agents")).toEqual({
    agents: [
      {
        agentId,
        groupId: expect.stringMatching(/^grp-/),
        role: "impl-code",
        model: "claude-4-sonnet",
        status: "running",
        startedAt: expect.stringMatching(/Z$/),
        elapsed_ms: 0,
        toolCallCount: 0,
      },
    ],
    total: 1,
  });
});

test("a caller that needs only some fields gets only those", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  expect(await answerOf(core, "list_agents", { fields: ["status", "elapsed_ms"] })).toEqual({
    agents: [{ agentId, status: "running", elapsed_ms: 0 }],
    total: 1,
  });
  expect(await answerOf(core, "list_agents", { fields: ["result"] })).toMatchObject({
    code: "INVALID_ARGUMENTS",
  });
});
