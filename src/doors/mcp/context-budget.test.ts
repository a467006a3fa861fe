import { expect, test } from "vitest";
import { z } from "zod";
import { callOwnTool, textsOf } from "../../../test/kit/call-own-tool.ts";
import { aCore, ended, started, type TestCore } from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { reportResult } from "../../app/agents/report-result.ts";
import type { AgentId } from "../../domain/ids.ts";

/** What a caller pays for a run of ten agents, besides what the agents themselves wrote: texts and file names. */
const MOST_BYTES = 5 * 1024;
const AGENTS = 10;

const SUMMARY = "ログイン機能を実装し、テストはすべて通りました。";
const EDITED = "src/auth/session.ts";
const CREATED = "src/auth/login.ts";
const RESPONSE = "実施内容: ログイン、ログアウト、セッション管理を実装しました。\n".repeat(20);

test("a run of ten agents costs its caller at most 5 KB besides the agents' own texts", async () => {
  const { core, call, bytes } = aCaller(await aCore());
  const { groupId } = shapes.group.parse(
    await call("create_group", { description: "認証機能の実装・テスト・レビュー" }),
  );
  const agents = Array.from({ length: AGENTS }, () => ({ role: "impl-code", prompt: "実装して" }));
  const { agents: rows } = shapes.started.parse(await call("run_agents", { groupId, agents }));
  const agentIds = rows.map(({ agentId }) => agentId);
  await core.quiet();

  const waiting = shapes.waited.parse(await call("wait_agent", { agentIds }));
  await finish(core, agentIds);
  const done = shapes.waited.parse(
    await call("wait_agent", { agentIds, cursor: waiting.cursor, timeout_ms: 60_000 }),
  );
  const results = shapes.results.parse(await call("get_agent_status", { agentIds }));
  await call("delete_group", { groupId });

  expect(done.completed.map(({ summary }) => summary)).toEqual(agents.map(() => SUMMARY));
  expect(results.agents.map(({ result }) => result)).toEqual(
    agents.map(() => expect.objectContaining({ summary: SUMMARY, response: RESPONSE })),
  );
  const ownTexts = [SUMMARY, SUMMARY, RESPONSE, EDITED, CREATED].map(bytesOf);
  const ownBytes = AGENTS * ownTexts.reduce((sum, each) => sum + each, 0);
  expect(bytes() - ownBytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("starting ten agents in stages costs little more than starting them side by side", async () => {
  const { call, bytes } = aCaller(await aCore());
  const task = { role: "impl-code", prompt: "実装して" };
  const concurrent = shapes.group.parse(await call("create_group", { description: "x" }));
  const stages = shapes.group.parse(
    await call("create_group", { description: "x", mode: "sequential" }),
  );
  const before = bytes();
  await call("run_agents", { ...concurrent, agents: Array.from({ length: 10 }, () => task) });
  const sideBySide = bytes() - before;

  await call("run_sequential", {
    ...stages,
    stages: [3, 4, 3].map((count) => ({ tasks: Array.from({ length: count }, () => task) })),
  });

  expect(bytes() - before - sideBySide).toBeLessThan(sideBySide * 1.6);
});

const shapes = {
  group: z.object({ groupId: z.string() }),
  started: z.object({
    agents: z.array(
      z.object({ agentId: z.templateLiteral([z.string(), "-", z.string(), "-", z.string()]) }),
    ),
  }),
  waited: z.object({
    completed: z.array(z.object({ summary: z.string() })),
    cursor: z.string().optional(),
  }),
  results: z.object({ agents: z.array(z.object({ result: z.record(z.string(), z.unknown()) })) }),
};

/** Counts the text of every answer; a client shows its model either that or the structured copy. */
function aCaller(core: TestCore) {
  let total = 0;
  return {
    core,
    bytes: () => total,
    call: async (name: string, args: object): Promise<unknown> => {
      const answer = await callOwnTool(core, name, args);
      const { structuredContent, isError } = answer;
      const text = textsOf(answer).join("");
      if (isError) throw new Error(`${name}: ${text}`);
      expect(text).toBe(JSON.stringify(structuredContent));
      total += bytesOf(text);
      return structuredContent;
    },
  };
}

/** As JSON: a line break in a text is two characters of the answer. */
function bytesOf(text: string): number {
  return Buffer.byteLength(text.startsWith("{") ? text : JSON.stringify(text).slice(1, -1));
}

async function finish(core: TestCore, agentIds: readonly AgentId[]): Promise<void> {
  for (const agentId of agentIds) {
    await core.observe(started(agentId));
    await reportResult(core, main, {
      agentId,
      report: {
        status: "success",
        summary: SUMMARY,
        response: RESPONSE,
        editedFiles: [EDITED],
        createdFiles: [CREATED],
        errorMessage: null,
      },
    });
    await core.observe(ended(agentId));
  }
}
