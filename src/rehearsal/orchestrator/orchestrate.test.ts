import { describe, expect, test } from "vitest";
import { aRun } from "../../../test/kit/rehearsal/a-run.ts";
import { GROUP_ID, refusal } from "../../../test/kit/rehearsal/fleet.ts";
import { ADVICE_TEXT } from "../../domain/groups/magentic.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import { Interrupted } from "../notifications.ts";
import { orchestrate } from "./orchestrate.ts";

const TASK = `【Magentic タスク】
task: 画面を直す
completionCriteria: 動くこと
availableRoles: impl-code, code-review
maxIterations: 10`;

test("orchestrate delegates to two agents, evaluates, replans once with their results, and reports", async () => {
  const { run, calls, callsOf } = aRun(TASK);

  const report = await orchestrate(run);

  expect(calls.map(({ name }) => name)).toEqual([
    "update_ledger",
    "create_group",
    "run_agents",
    "wait_agent",
    "get_agent_status",
    "get_agent_status",
    "update_ledger",
    "run_agents",
    "wait_agent",
    "get_agent_status",
    "update_ledger",
  ]);
  expect(callsOf("create_group")).toEqual([{ description: "リハーサル: 画面を直す" }]);
  const [first, second] = callsOf("run_agents");
  expect(first).toMatchObject({
    groupId: GROUP_ID,
    agents: [{ role: "impl-code" }, { role: "code-review" }],
  });
  expect(second).toMatchObject({
    agents: [
      {
        role: "code-review",
        prompt: expect.stringContaining(
          "- impl-code-1794733200-0001 (success): impl-code-1794733200-0001 の #rehearsal crash まとめ",
        ),
      },
    ],
  });
  expect(JSON.stringify(second)).toContain("code-review-1794733200-0002");
  expect(report).toEqual({
    status: "success",
    summary: expect.stringContaining(
      "反復は 2 回です (反復 1: impl-code-1794733200-0001=success、code-review-1794733200-0002=success / 反復 2: code-review-1794733200-0003=success)",
    ),
  });
});

test("the ledgers are complete, honest, and end with a satisfied request", async () => {
  const { run, callsOf } = aRun(TASK);

  await orchestrate(run);

  const text = expect.stringMatching(/^リハーサル/);
  const task = {
    factsGiven: text,
    factsToLookUp: text,
    factsToDerive: text,
    guesses: text,
    plan: text,
  };
  const judged = (answer: unknown) => ({ answer, reason: text });
  const progress = (isDone: boolean) => ({
    requestSatisfied: judged(isDone),
    inLoop: judged(false),
    progressMade: judged(true),
    nextAction: judged(text),
    instruction: judged(text),
  });
  expect(callsOf("update_ledger")).toEqual([
    { task },
    { task, progress: progress(false) },
    { task, progress: progress(true) },
  ]);
});

test("orchestrate writes everything in English if the request is in English", async () => {
  const { run, calls, said } = aRun(
    "【Magentic タスク】\ntask: Fix the page\navailableRoles: impl-code, code-review",
    { get_agent_status: { answer: () => ({ result: { status: "success", summary: "read" } }) } },
  );

  const report = await orchestrate(run);

  expect(report.summary).toMatch(/^no model was asked\. Iterations: 2 \(iteration 1: /);
  expect(JSON.stringify([calls, said, report])).not.toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  expect(JSON.stringify(calls)).toContain("Rehearsal: you are agent 2 of 2 in iteration 1.");
});

test("orchestrate lists the roles if its prompt names none", async () => {
  const { run, callsOf } = aRun("画面を直す");

  await orchestrate(run);

  expect(callsOf("run_agents")[0]).toMatchObject({
    agents: [{ role: "writer" }, { role: "reader" }],
  });
});

test("a single role is used for both agents", async () => {
  const { run, callsOf } = aRun("availableRoles: writer");

  await orchestrate(run);

  expect(callsOf("run_agents")[0]).toMatchObject({
    agents: [{ role: "writer" }, { role: "writer" }],
  });
});

test("directives for the sub-agents are in each of their prompts", async () => {
  const { run, callsOf } = aRun(
    `${TASK}\n#rehearsal child sleep 5\n#rehearsal iterations 3\n#rehearsal no-ledger`,
  );

  await orchestrate(run);

  const starts = callsOf("run_agents").map((start) => JSON.stringify(start));
  expect(new Set(starts).size).toBe(3);
  expect(starts.map((start) => start.split("\\n#rehearsal sleep 5").length - 1)).toEqual([2, 1, 1]);
  expect(callsOf("update_ledger")).toEqual([]);
});

test("a wait in chunks continues with the last cursor", async () => {
  const { run, callsOf } = aRun(TASK, {
    wait_agent: {
      answer: (_args, turn) =>
        turn <= 3
          ? { completed: [], pending: ["x"], waitMore: true, cursor: `c${turn}` }
          : { completed: [], pending: [], timedOut: false },
    },
  });

  expect(await orchestrate(run)).toMatchObject({ status: "success" });

  expect(callsOf("wait_agent").map(({ cursor }) => cursor)).toEqual([
    undefined,
    "c1",
    "c2",
    "c3",
    undefined,
  ]);
});

describe("orchestrate ends with a failure", () => {
  test("at the iteration limit, with a report of what was done", async () => {
    const { run, callsOf } = aRun(`${TASK}\n#rehearsal iterations 5`, {
      run_agents: {
        answer: (_args, turn) =>
          turn === 1
            ? { agents: [{ agentId: "impl-code-1-0001" }] }
            : refusal("MAX_ITERATIONS_REACHED"),
      },
    });

    expect(await orchestrate(run)).toEqual({
      status: "failure",
      summary: expect.stringMatching(
        /上限に達した.*MAX_ITERATIONS_REACHED.*反復は 1 回.*impl-code-1-0001/,
      ),
    });
    expect(callsOf("run_agents")).toHaveLength(2);
  });

  test("but not for a refused ledger", async () => {
    const { run } = aRun(TASK, { update_ledger: { answer: () => refusal("NOT_ORCHESTRATED") } });

    expect(await orchestrate(run)).toMatchObject({ status: "success" });
  });

  test("if sub-agents fail, and the report says so", async () => {
    const failed = { result: { status: "failure", summary: "だめ" } };
    const { run, callsOf } = aRun(TASK, { get_agent_status: { answer: () => failed } });

    expect(await orchestrate(run)).toMatchObject({ status: "failure" });

    expect(callsOf("update_ledger").at(-1)).toMatchObject({
      progress: { requestSatisfied: { answer: false }, progressMade: { answer: false } },
    });
  });

  test.each(["create_group", "run_agents", "wait_agent", "list_roles"])(
    "if %s answers garbage, and the report says so",
    async (name) => {
      const { run, callsOf } = aRun("画面を直す", { [name]: { answer: () => "<html>" } });

      expect(await orchestrate(run)).toEqual({
        status: "failure",
        summary: expect.stringContaining(name),
      });
      expect(callsOf(name).length).toBeLessThanOrEqual(3);
    },
  );

  test("but looks up agents that were started despite a garbage answer", async () => {
    const { run, callsOf } = aRun(TASK, {
      run_agents: { answer: () => "{" },
      list_agents: {
        answer: (_args, turn) => ({ agents: [{ agentId: "a-1-1" }, { agentId: `a-1-${turn}` }] }),
      },
    });

    expect(await orchestrate(run)).toMatchObject({ status: "success" });
    expect(callsOf("wait_agent").at(-1)).toMatchObject({ agentIds: ["a-1-2"] });
  });

  test.each([
    ["nothing", ""],
    ["another shape", { result: [1], notification: 7 }],
    ["a refusal", refusal("AGENT_NOT_FOUND")],
  ])("and an unknown result if a status is %s", async (_what, answer) => {
    const { run } = aRun(TASK, { get_agent_status: { answer: () => answer } });

    expect(await orchestrate(run)).toEqual({
      status: "failure",
      summary: expect.stringContaining("=不明"),
    });
  });
});

describe("notifications during orchestrate", () => {
  test("advice to replan changes even a prompt that was to stay the same", async () => {
    const notification = { id: "ntf-1", type: "replan", text: "別の方法で", from: "kuromajutsu" };
    const { run, callsOf } = aRun(`${TASK}\n#rehearsal same\n#rehearsal iterations 3`, {
      update_ledger: {
        answer: (_args, turn) => ({
          stalls: 0,
          ...(turn === 3 && { notification: NOTIFICATION_LINE }),
        }),
      },
      get_notifications: { answer: () => ({ notifications: [notification] }) },
    });

    await orchestrate(run);

    const [first, second, third] = callsOf("run_agents");
    expect(second).toEqual(first);
    expect(JSON.stringify(third)).toContain("別の方法で");
    expect(callsOf("update_ledger")).toMatchObject([
      {},
      { progress: { inLoop: { answer: false } } },
      { progress: { inLoop: { answer: true }, progressMade: { answer: false } } },
      {
        task: { factsGiven: expect.stringContaining("別の方法で") },
        progress: { inLoop: { answer: false } },
      },
    ]);
    expect(callsOf("get_notifications")).toHaveLength(1);
  });

  test.each(["in the ledger's answer", "in a notification"])(
    "advice %s to ask a person ends the run with a report",
    async (where) => {
      const isAdvice = where === "in the ledger's answer";
      const text = ADVICE_TEXT.give_up;
      const { run, callsOf } = aRun(`${TASK}\n#rehearsal iterations 9`, {
        update_ledger: {
          answer: (_args, turn) => {
            if (turn !== 2) return { stalls: 1 };
            return isAdvice ? { advice: text } : { notification: NOTIFICATION_LINE };
          },
        },
        get_notifications: {
          answer: () => ({ notifications: [{ id: "ntf-1", type: "replan", text, from: "x" }] }),
        },
      });

      expect(await orchestrate(run)).toEqual({
        status: "failure",
        summary: expect.stringContaining("人の判断"),
      });
      expect(callsOf("run_agents")).toHaveLength(1);
    },
  );

  test.each(["run_agents", "wait_agent", "get_agent_status", "update_ledger"])(
    "a stop notification with the answer to %s ends the run",
    async (name) => {
      const { run, calls } = aRun(TASK, {
        [name]: { answer: () => ({ waitMore: true, notification: NOTIFICATION_LINE }) },
        get_notifications: {
          answer: () => ({ notifications: [{ type: "status_change", action: "blocked" }] }),
        },
      });

      await expect(orchestrate(run)).rejects.toBeInstanceOf(Interrupted);
      expect(calls.slice(-2).map((call) => call.name)).toEqual([name, "get_notifications"]);
    },
  );
});
