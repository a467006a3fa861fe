import { describe, expect, test } from "vitest";
import { anApproval } from "../../../test/kit/approvals.ts";
import { aRun } from "../../../test/kit/rehearsal/a-run.ts";
import { refusal } from "../../../test/kit/rehearsal/fleet.ts";
import {
  anExecuting,
  aReadStep,
  aTaskPrompt,
  aWriteStep,
} from "../../../test/kit/rehearsal/task-prompts.ts";
import type { ScriptedTool } from "../../../test/kit/rehearsal/tool-daemon.ts";
import { stepRejected } from "../../app/gateway/call-refusals.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import type { ExecutionInput } from "../../domain/tasks/drafting.ts";
import { noAnswer } from "../answer.ts";
import { Interrupted } from "../notifications.ts";
import { Parked } from "../patience.ts";
import { AskedToFail } from "../perform.ts";
import { readPrompt } from "../read-prompt.ts";
import { execute } from "./execute.ts";

const NOW = new Date(2026, 10, 15);
const PARCELS = [{ id: "p1" }, { id: "p2" }];
const LIST: ScriptedTool = { answer: () => ({ parcels: PARCELS, notification: undefined }) };
const STORE: ScriptedTool = { answer: () => ({ written: 2 }) };

function aPlay(
  over: Partial<ExecutionInput> = {},
  more: Readonly<Record<string, ScriptedTool>> = {},
) {
  const report_progress = { answer: () => ({ ok: true }) };
  const tools = { list: LIST, store: STORE, report_progress, ...more };
  const played = aRun(aTaskPrompt(anExecuting(over)), {}, tools);
  const input = played.run.read.task?.input;
  if (input?.stage !== "execution") throw new Error("The input was not read.");
  const names = () => played.calls.map(({ name }) => name);
  return { ...played, input, names, play: () => execute(played.run, input, NOW) };
}

test("it walks the steps, names each, and hands results on", async () => {
  const { play, calls } = aPlay();

  const report = await play();

  expect(calls).toEqual([
    { name: "report_progress", args: { stepId: "step-1" } },
    { name: "list", args: { month: "2026-09" } },
    { name: "report_progress", args: { stepId: "step-2" } },
    { name: "store", args: { title: "リハーサル: 荷物の集計", parcels: PARCELS } },
  ]);
  expect(report).toEqual({
    status: "success",
    result: "success",
    summary: expect.stringMatching(/step-1 list 完了.*step-2 store 完了/),
  });
});

test("asked in English it speaks English, and so does the agent it gives a step to", async () => {
  const step = aReadStep({
    title: "調査員 (rehearsal)",
    tool: "agent:research",
    call: "agent_research",
    inputSchema: null,
  });
  const agent_research = { answer: () => ({ status: "success", waitMore: false }) };
  const { play, callsOf, said } = aPlay(
    { request: "Find three unclear points", steps: [step] },
    { agent_research },
  );

  expect(await play()).toMatchObject({
    summary: "no model was asked. (step-1 agent_research done)",
  });
  expect(said.join("")).toContain("Rehearsal: step-1");
  const [args] = callsOf("agent_research");
  expect(args).toEqual({ prompt: expect.stringMatching(/^Rehearsal: .*調査員.*“Find three/) });
  expect(readPrompt(String(args?.["prompt"])).language).toBe("en");
});

test("what an earlier step brought is better than any text", async () => {
  const list = { answer: () => ({ parcels: PARCELS, title: "九月の荷物" }) };
  const { play, callsOf } = aPlay({}, { list });

  await play();

  expect(callsOf("store")).toMatchObject([{ title: "九月の荷物" }]);
});

describe("what was done before", () => {
  test("is not done again, and its results are used", async () => {
    const done = { args: {}, structuredContent: { parcels: [{ id: "old" }] } };
    const { play, names, callsOf } = aPlay({
      steps: [aReadStep({ status: "done", results: [done] }), aWriteStep()],
    });

    expect(await play()).toMatchObject({ result: "success" });
    expect(names()).toEqual(["report_progress", "store"]);
    expect(callsOf("store")).toMatchObject([{ parcels: [{ id: "old" }] }]);
  });

  test("counts even if the step is not over: an answered call is not repeated", async () => {
    const results = [{ args: {}, text: '{"written":2}' }];
    const { play, names } = aPlay({
      steps: [
        aReadStep({ status: "done", results: [{ structuredContent: { parcels: PARCELS } }] }),
        aWriteStep({ status: "stopped", results }),
      ],
    });

    expect(await play()).toMatchObject({ result: "success" });
    expect(names()).toEqual(["report_progress"]);
  });

  test.each([[{ error: "閉まっている", text: "{}" }], [{ outcome: "unknown" }]])(
    "a call that ended so is made again: %j",
    async (result) => {
      const { play, names } = aPlay({
        steps: [aReadStep({ status: "waiting", results: [{ args: {}, ...result }] })],
      });

      await play();

      expect(names()).toEqual(["report_progress", "list"]);
    },
  );

  test("an answer that nobody knows any more is not asked for again", async () => {
    const { play, callsOf } = aPlay({
      steps: [
        aReadStep({ status: "done", results: [{ args: {}, note: "…" }] }),
        aWriteStep({ status: "waiting" }),
      ],
    });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("parcels"),
    });
    expect(callsOf("list")).toEqual([]);
  });

  test("a step that a person left out is left out", async () => {
    const { play, names } = aPlay({ steps: [aReadStep({ status: "rejected" })] });

    expect(await play()).toMatchObject({ result: "success" });
    expect(names()).toEqual([]);
  });
});

describe("a call that waits for a person", () => {
  test.each(["APPROVAL_PENDING", "OUTCOME_UNKNOWN"])(
    "is made again with the same arguments while it is %s",
    async (code) => {
      const store: ScriptedTool = {
        answer: (_args, turn) => (turn < 3 ? refusal(code) : { written: 2 }),
      };
      const { play, callsOf } = aPlay({}, { store });

      expect(await play()).toMatchObject({ result: "success" });
      const [first, ...others] = callsOf("store");
      expect(others).toEqual([first, first]);
    },
  );

  test("ends it when it is parked", async () => {
    const { play } = aPlay({}, { store: { answer: () => refusal("PARKED") } });

    await expect(play()).rejects.toThrow(Parked);
  });

  test("that is rejected ends it with the reason", async () => {
    const store = { answer: () => refusal("STEP_REJECTED", { message: "宛先が違う" }) };
    const { play } = aPlay({ steps: [aReadStep(), aWriteStep(), aReadStep()] }, { store });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringMatching(/step-2.*STEP_REJECTED 宛先が違う.*step-1 list 完了/),
    });
  });

  test("that is rejected with a reason that only sounds so ends it too", async () => {
    const list = { answer: () => refusal("STEP_REJECTED", { message: "Go on without this step" }) };

    expect(await aPlay({}, { list }).play()).toMatchObject({ result: "failure" });
  });

  test("that is rejected with the wish to go on is left out", async () => {
    const { hint } = stepRejected(
      anApproval({ choice: { scope: "once", onReject: "skip", answer: null } }),
    );
    const list = { answer: () => refusal("STEP_REJECTED", { hint }) };
    const { play } = aPlay(
      { steps: [aReadStep(), aReadStep({ id: "step-2", order: 2 })] },
      { list },
    );

    expect(await play()).toMatchObject({
      result: "success",
      summary: expect.stringMatching(/step-1 list 行わない.*step-2 list 行わない/),
    });
  });
});

test("a step whose answer was lost is called again: the daemon knows whether it was forwarded", async () => {
  const { run, input } = aPlay({ steps: [aReadStep()] });
  const called: string[] = [];
  const call: typeof run.tools.call = (name, args) => {
    called.push(name);
    return called.length === 2
      ? Promise.resolve(noAnswer("切れた", { isOutcomeUnknown: true }))
      : run.tools.call(name, args);
  };

  const report = await execute({ ...run, tools: { ...run.tools, call } }, input, NOW);

  expect(report).toMatchObject({ result: "success" });
  expect(called).toEqual(["report_progress", "list", "list"]);
});

describe("a stop", () => {
  const stop = { notifications: [{ type: "status_change", action: "cancelled", message: "中止" }] };

  test("that a refusal speaks of is read and obeyed", async () => {
    const get_notifications = { answer: () => stop };
    const list = { answer: () => refusal("STOP_REQUESTED") };
    const { play, names } = aPlay({}, { list, get_notifications });

    await expect(play()).rejects.toMatchObject({ action: "cancelled", text: "中止" });
    expect(names()).toEqual(["report_progress", "list", "get_notifications"]);
  });

  test("is obeyed even if the notice is gone", async () => {
    const list = { answer: () => refusal("STOP_REQUESTED") };

    await expect(aPlay({}, { list }).play()).rejects.toBeInstanceOf(Interrupted);
  });

  test("that comes with any answer is obeyed before the next call", async () => {
    const get_notifications = { answer: () => stop };
    const report_progress = { answer: () => ({ notification: NOTIFICATION_LINE }) };
    const { play, names } = aPlay({}, { report_progress, get_notifications });

    await expect(play()).rejects.toBeInstanceOf(Interrupted);
    expect(names()).toEqual(["report_progress", "get_notifications"]);
  });
});

describe("a failure", () => {
  test("a required argument that nothing fills is not made up", async () => {
    const { play, callsOf } = aPlay({ steps: [aWriteStep()] });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("必須の引数 parcels"),
    });
    expect(callsOf("store")).toEqual([]);
  });

  test("a tool that fails ends it, and says why", async () => {
    const content = [{ type: "text" as const, text: "倉庫が\n閉まっている" }];
    const { play, callsOf } = aPlay({}, { list: { answer: () => ({ isError: true, content }) } });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("倉庫が 閉まっている"),
    });
    expect(callsOf("store")).toEqual([]);
  });
});

describe("a step of an agent", () => {
  const steps = [aReadStep({ tool: "agent:writer", call: "agent_writer", inputSchema: null })];

  test("is waited for in chunks", async () => {
    const agent_writer: ScriptedTool = {
      answer: (_args, turn) => (turn < 3 ? { waitMore: true } : { status: "success" }),
    };
    const request = "9月分\n#rehearsal in executor child sleep 5";
    const { play, callsOf } = aPlay({ request, steps }, { agent_writer });

    expect(await play()).toMatchObject({ result: "success" });
    const [first, ...others] = callsOf("agent_writer");
    expect(others).toEqual([first, first]);
    expect(first).toEqual({
      prompt: expect.stringMatching(/^リハーサル: step-1.*9月分[^]*\n#rehearsal sleep 5$/),
    });
  });

  test("a tool of others may say waitMore as it likes", async () => {
    const { play, callsOf } = aPlay(
      { steps: [aReadStep()] },
      {
        list: { answer: () => ({ waitMore: true }) },
      },
    );

    await play();

    expect(callsOf("list")).toHaveLength(1);
  });
});

describe("lines of the request", () => {
  test("arg gives an argument, also one that could not be filled", async () => {
    const request = `x
#rehearsal arg step-1.month "2020-01"
#rehearsal arg step-1.extra [1]
#rehearsal arg step-2.title "題"`;
    const { play, callsOf } = aPlay({ request });

    expect(await play()).toMatchObject({ result: "success" });
    expect(callsOf("list")).toEqual([{ month: "2020-01", extra: [1] }]);
    expect(callsOf("store")).toMatchObject([{ title: "題" }]);
  });

  test("before and after a step something is done", async () => {
    const request = `9月
#rehearsal before step-2 tool get_notifications {}
#rehearsal after step-1 tool list_roles {}`;
    const { play, names } = aPlay({ request });

    await play();

    expect(names()).toEqual([
      "report_progress",
      "list",
      "list_roles",
      "get_notifications",
      "report_progress",
      "store",
    ]);
  });

  test("fail at a step ends it with no report", async () => {
    const { play, names } = aPlay({ request: "9月\n#rehearsal before step-2 fail 停電" });

    await expect(play()).rejects.toThrow(new AskedToFail("停電"));
    expect(names()).toEqual(["report_progress", "list"]);
  });

  test("first holds only in the first attempt", async () => {
    const request = "9月\n#rehearsal first before step-1 fail 停電";

    await expect(aPlay({ request }).play()).rejects.toThrow("停電");
    expect(await aPlay({ request, attempt: 2 }).play()).toMatchObject({ result: "success" });
  });

  test("report at a step is the last thing done", async () => {
    const { play, names } = aPlay({
      request: "9月\n#rehearsal after step-1 report failure やめた",
    });
    await play().catch(() => undefined);

    expect(names()).not.toContain("store");
  });

  test("one that names a step that is not there does not pass for one that worked", async () => {
    const { play, names } = aPlay({ request: "9月\n#rehearsal before step-7 sleep 1" });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("step-7"),
    });
    expect(names()).toEqual([]);
  });
});
