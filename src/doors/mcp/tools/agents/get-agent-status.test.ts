import { describe, expect, test } from "vitest";
import { answerOf } from "../../../../../test/kit/call-own-tool.ts";
import { aCore, ended, type TestCore } from "../../../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../../../test/kit/running-agent.ts";
import { reportResult } from "../../../../app/agents/report-result.ts";
import type { AgentId } from "../../../../domain/ids.ts";

async function aFinishedAgent(
  core: TestCore,
  over: object = {},
  survivors: readonly string[] = [],
): Promise<AgentId> {
  const agentId = await aRunningAgent(core);
  await reportResult(core, main, {
    agentId,
    report: {
      status: "success",
      summary: "Wrote the login.",
      response: "The login is done.",
      editedFiles: ["src/login.ts"],
      createdFiles: [],
      errorMessage: null,
      ...over,
    },
  });
  await core.observe(ended(agentId, { survivors }));
  return agentId;
}

test("one agentId answers the whole record, as the specification has it", async () => {
  const core = await aCore();
  const agentId = await aFinishedAgent(core);

  const answer = await answerOf(core, "get_agent_status", { agentId });

  expect(Object.keys(answer)).toEqual([
    "agentId",
    "groupId",
    "role",
    "model",
    "status",
    "startedAt",
    "elapsed_ms",
    "toolCallCount",
    "result",
  ]);
  expect(answer).toMatchObject({
    status: "resultReported",
    result: {
      agentId,
      groupId: expect.stringMatching(/^grp-/),
      status: "success",
      summary: "Wrote the login.",
      response: "The login is done.",
      editedFiles: ["src/login.ts"],
      createdFiles: [],
      duration_ms: 0,
      model: "claude-4-sonnet",
      role: "impl-code",
      toolCallCount: 3,
      timestamp: expect.stringMatching(/Z$/),
    },
  });
  expect(answer.result).not.toHaveProperty("rawOutput");
});

test("a running agent has the result null", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);

  expect(await answerOf(core, "get_agent_status", { agentId })).toMatchObject({
    status: "running",
    result: null,
  });
});

describe("several agents in one call", () => {
  test("come in the order asked for, each once, with its result, else its status, and nothing told before", async () => {
    const core = await aCore();
    const [one, two] = [await aFinishedAgent(core), await aRunningAgent(core)];

    expect(await answerOf(core, "get_agent_status", { agentIds: [two, one, two] })).toEqual({
      agents: [
        { agentId: two, status: "running" },
        {
          agentId: one,
          result: {
            status: "success",
            summary: "Wrote the login.",
            response: "The login is done.",
            editedFiles: ["src/login.ts"],
            rehearsal: true,
          },
        },
      ],
    });
  });

  test("keep the warnings that rehearsal: true does not repeat; a single result keeps all", async () => {
    const core = await aCore();
    const agentId = await aFinishedAgent(core, {}, ["pid 7"]);
    const REHEARSAL = "Rehearsal: no model was asked.";
    const SURVIVOR = "Could not be proved dead: pid 7";

    expect(await answerOf(core, "get_agent_status", { agentIds: [agentId] })).toMatchObject({
      agents: [{ result: { warnings: [SURVIVOR], rehearsal: true } }],
    });
    expect(await answerOf(core, "get_agent_status", { agentId })).toMatchObject({
      result: { warnings: [REHEARSAL, SURVIVOR], rehearsal: true },
    });
  });

  test("can be read field by field", async () => {
    const core = await aCore();
    const one = await aFinishedAgent(core, { status: "failure", errorMessage: "No key" });

    expect(
      await answerOf(core, "get_agent_status", { agentIds: [one], fields: ["role", "response"] }),
    ).toEqual({
      agents: [
        {
          agentId: one,
          role: "impl-code",
          result: { status: "failure", response: "The login is done." },
        },
      ],
    });
    expect(
      await answerOf(core, "get_agent_status", { agentId: one, fields: ["status", "elapsed_ms"] }),
    ).toEqual({ agentId: one, status: "resultReported", elapsed_ms: 0 });
  });

  test.each([
    [{}, "INVALID_ARGUMENTS"],
    [{ agentId: "a", agentIds: ["b"] }, "INVALID_ARGUMENTS"],
    [{ agentId: "a", fields: ["prompt"] }, "INVALID_ARGUMENTS"],
    [{ agentIds: [] }, "EMPTY_AGENT_IDS"],
    [{ agentIds: ["impl-code-1-ffff", "impl-code-1-fffe"] }, "AGENT_NOT_FOUND"],
  ])("%j is refused with %s", async (args, code) => {
    expect(await answerOf(await aCore(), "get_agent_status", args)).toMatchObject({ code });
  });

  test("an unknown agent is named, and refuses the whole call", async () => {
    const core = await aCore();
    const one = await aFinishedAgent(core);

    expect(
      await answerOf(core, "get_agent_status", { agentIds: [one, "impl-code-1-ffff"] }),
    ).toMatchObject({ code: "AGENT_NOT_FOUND", message: expect.stringContaining("-ffff") });
  });
});

describe("rawOutput", () => {
  test("is the end of what the CLI wrote, at most 8 KB of it, and only when asked for", async () => {
    const core = await aCore();
    const agentId = await aFinishedAgent(core);

    const { result } = await answerOf(core, "get_agent_status", {
      agentId,
      fields: ["rawOutput"],
    });

    expect(Object.keys(result)).toEqual(["status", "rawOutput"]);
    expect(result.rawOutput).toHaveLength(8_192);
    expect(result.rawOutput.endsWith(agentId)).toBe(true);
  });

  test("is at most 64 KB for all agents of a call", async () => {
    const core = await aCore();
    const agentIds: AgentId[] = [];
    for (let i = 0; i < 16; i++) agentIds.push(await aFinishedAgent(core));

    const answer = await answerOf(core, "get_agent_status", { agentIds, fields: ["rawOutput"] });

    expect(JSON.stringify(answer).length).toBeLessThan(65_536 + 16 * 150);
  });
});
