import { afterEach, describe, expect, test } from "vitest";
import { aFleet, GROUP_ID, type Script } from "../../../test/kit/rehearsal/fleet.ts";
import { aStage, BUILT, type Stage } from "../../../test/kit/rehearsal/stage.ts";
import { buildFullPrompt } from "../../domain/agents/prompt.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";

const AGENT_ID = "orchestrator-1794733200-a3f2";
const TASK = "【Magentic タスク】\ntask: 画面を直す\navailableRoles: a, b\nmaxIterations: 10";

let stage: Stage;

afterEach(() => stage.clear());

test.each([undefined, BUILT])(
  "an orchestrator runs completely as a process (%s)",
  async (program) => {
    stage = await aStage(AGENT_ID, program);
    const fleet = await aFleetFor();

    const { code, progress } = await stage.run(aPrompt(TASK), fleet.env);

    expect({ code, error: progress.end?.error }).toEqual({ code: 0, error: null });
    expect(progress).toMatchObject({ toolCallCount: 12, pollCount: 0 });
    expect(fleet.callsOf("report_result")).toMatchObject([
      {
        agentId: AGENT_ID,
        status: "success",
        summary: expect.stringMatching(/^リハーサル: .*反復は 2 回/),
        response: expect.stringContaining(`- グループ: ${GROUP_ID}`),
      },
    ]);
  },
);

test("an orchestrator with directives for steps only carries out those", async () => {
  stage = await aStage(AGENT_ID);
  const fleet = await aFleetFor();

  await stage.run(aPrompt(`${TASK}\n#rehearsal say やあ`), fleet.env);

  expect(fleet.calls.map(({ name }) => name)).toEqual(["report_result"]);
});

describe("an orchestrator whose daemon dies", () => {
  test.each([
    ["create_group", 2],
    ["wait_agent", 3],
    ["update_ledger", 4],
  ])("during %s repeats the call", async (restartsDuring, times) => {
    stage = await aStage(AGENT_ID);
    const fleet = await aFleetFor({}, restartsDuring);

    const { code } = await stage.run(aPrompt(TASK), fleet.env);

    expect(code).toBe(0);
    expect(fleet.callsOf(restartsDuring)).toHaveLength(times);
    expect(fleet.callsOf("report_result")).toMatchObject([{ status: "success" }]);
  });

  test("during run_agents does not start the agents twice", async () => {
    stage = await aStage(AGENT_ID);
    const fleet = await aFleetFor({}, "run_agents");

    await stage.run(aPrompt(TASK), fleet.env);

    expect(fleet.callsOf("run_agents")).toHaveLength(2);
    expect(fleet.callsOf("wait_agent")[0]).toMatchObject({
      agentIds: ["a-1794733200-0001", "b-1794733200-0002"],
    });
    expect(fleet.callsOf("report_result")).toMatchObject([{ status: "success" }]);
  });

  test("before run_agents started any agent repeats the call", async () => {
    stage = await aStage(AGENT_ID);
    const fleet = await aFleetFor(
      { run_agents: { answer: (_args, turn) => ({ agents: [{ agentId: `a-1-000${turn}` }] }) } },
      "run_agents",
    );

    await stage.run(aPrompt(TASK), fleet.env);

    expect(fleet.callsOf("run_agents")).toHaveLength(3);
    expect(fleet.callsOf("report_result")).toMatchObject([{ status: "success" }]);
  });
});

test("a stop notification during a wait makes the orchestrator report what was done and end", async () => {
  stage = await aStage(AGENT_ID);
  const fleet = await aFleetFor({
    wait_agent: {
      answer: () => ({
        completed: [],
        waitMore: true,
        cursor: "c",
        notification: NOTIFICATION_LINE,
      }),
    },
    get_notifications: {
      answer: () => ({
        notifications: [{ type: "status_change", action: "cancelled", message: "やめて" }],
      }),
    },
  });

  const { code, progress } = await stage.run(aPrompt(TASK), fleet.env);

  expect({ code, ok: progress.end?.ok }).toEqual({ code: 0, ok: true });
  expect(fleet.calls.slice(-3).map(({ name }) => name)).toEqual([
    "wait_agent",
    "get_notifications",
    "report_completed",
  ]);
  expect(fleet.callsOf("report_completed")).toMatchObject([
    {
      result: "cancelled",
      summary: expect.stringMatching(/^リハーサル: 中止されたため、ここで止めました$/),
      response: expect.stringContaining(GROUP_ID),
    },
  ]);
});

function aFleetFor(over: Script = {}, restartsDuring?: string) {
  const restarts = restartsDuring === undefined ? {} : { restartsDuring };
  return stage.use(aFleet(over, { agentId: AGENT_ID, ...restarts }));
}

function aPrompt(userPrompt: string): string {
  return buildFullPrompt({
    agentId: AGENT_ID,
    groupId: "grp-1794733200-b4e1",
    role: { id: "orchestrator", systemPrompt: "あなたは指揮者です。" },
    toolName: (tool) => tool,
    tools: [],
    previousStageResults: null,
    userPrompt,
  });
}
