import { expect, test } from "vitest";
import { aGroup, anAgent } from "../../../test/kit/builders.ts";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { conversationOf } from "./conversation-of.ts";

const USAGE = { inputTokens: 7, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function codexAgent(n: number, over: Partial<Agent> = {}): Agent {
  const id = `impl-code-1794733200-000${n}` as const;
  return anAgent({ id, runner: "codex", process: "ended", status: "completed", ...over });
}

async function insert(
  core: TestCore,
  ...given: readonly (readonly [Agent, Partial<AgentProgress>])[]
): Promise<void> {
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    for (const [agent, progress] of given) {
      await unit.insertAgent(agent, "x");
      await unit.putProgress(agent.id, { ...NO_PROGRESS, sessionId: "talk", ...progress });
    }
  });
}

test("a conversation is continued only by the runner that made it", async () => {
  const core = await aCore();
  const agent = codexAgent(1);
  await insert(core, [agent, { sessionUsage: USAGE }]);

  expect(await conversationOf(core.store, agent, "codex")).toEqual({
    sessionId: "talk",
    usage: USAGE,
  });
  expect(await conversationOf(core.store, agent, "claude")).toBeNull();
});

test.each<[string, Agent, Partial<AgentProgress>]>([
  ["has not ended", codexAgent(1, { process: "alive", status: "running" }), {}],
  ["has none", codexAgent(1), { sessionId: null }],
])("there is no conversation to continue of an agent that %s", async (_, agent, progress) => {
  const core = await aCore();
  await insert(core, [agent, progress]);

  expect(await conversationOf(core.store, agent, "codex")).toBeNull();
});

test("a conversation that another agent is continuing is not continued", async () => {
  const core = await aCore();
  const agent = codexAgent(1);
  const waiting = codexAgent(2, { process: "waiting", status: "queued", resumeSession: "talk" });
  await insert(core, [agent, {}], [waiting, { sessionId: null }]);

  expect(await conversationOf(core.store, agent, "codex")).toBeNull();
});

test("the tokens of a conversation are known even if its last agent reported none", async () => {
  const core = await aCore();
  const agent = codexAgent(1);
  const next = codexAgent(2, { resumeSession: "talk" });
  await insert(core, [agent, {}], [next, { usageBefore: USAGE }]);

  expect(await conversationOf(core.store, next, "codex")).toMatchObject({ usage: USAGE });
});
