import { describe, expect, test } from "vitest";
import { anApproval } from "../../../test/kit/approvals.ts";
import { aPlay, NOW, PARCELS } from "../../../test/kit/rehearsal/a-play.ts";
import { refusal } from "../../../test/kit/rehearsal/fleet.ts";
import { aReadStep, aWriteStep } from "../../../test/kit/rehearsal/task-prompts.ts";
import type { ScriptedTool } from "../../../test/kit/rehearsal/tool-daemon.ts";
import { stepRejected } from "../../app/gateway/call-refusals.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import { noAnswer } from "../answer.ts";
import { Parked } from "../call-until-decided.ts";
import { Interrupted } from "../notifications.ts";
import { readPrompt } from "../read-prompt.ts";
import { execute } from "./execute.ts";

test("execute runs the steps in order, names each, and passes results on", async () => {
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
    summary: expect.stringContaining("2 個のステップがすべて終わりました。"),
  });
});

test("the result says what the tools did and where the files are", async () => {
  const store = { answer: () => ({ summary: "24 行を書き込みました。", path: "/out/九月.csv" }) };
  const { play } = aPlay({}, { store });

  expect(await play()).toMatchObject({
    summary:
      "モデルには何も尋ねていません。2 個のステップがすべて終わりました。24 行を書き込みました。できたファイル: /out/九月.csv",
  });
});

test("execute writes in the language of the request, also to the agent of a step", async () => {
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
    summary: "no model was asked. 1 step is done. No files were made.",
  });
  expect(said.join("")).toContain("Rehearsal: step-1");
  const [args] = callsOf("agent_research");
  expect(args).toEqual({ prompt: expect.stringMatching(/^Rehearsal: .*調査員.*“Find three/) });
  expect(readPrompt(String(args?.["prompt"])).language).toBe("en");
});

test("the result of an earlier step takes precedence over the text", async () => {
  const list = { answer: () => ({ parcels: PARCELS, title: "九月の荷物" }) };
  const { play, callsOf } = aPlay({}, { list });

  await play();

  expect(callsOf("store")).toMatchObject([{ title: "九月の荷物" }]);
});

describe("work of an earlier executor", () => {
  test("is not done again, and its results are used", async () => {
    const done = { args: {}, structuredContent: { parcels: [{ id: "old" }] } };
    const { play, names, callsOf } = aPlay({
      steps: [aReadStep({ status: "done", results: [done] }), aWriteStep()],
    });

    expect(await play()).toMatchObject({ result: "success" });
    expect(names()).toEqual(["report_progress", "store"]);
    expect(callsOf("store")).toMatchObject([{ parcels: [{ id: "old" }] }]);
  });

  test("counts even if the step is not finished: an answered call is not repeated", async () => {
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
    "a call with this result is repeated: %j",
    async (result) => {
      const { play, names } = aPlay({
        steps: [aReadStep({ status: "waiting", results: [{ args: {}, ...result }] })],
      });

      await play();

      expect(names()).toEqual(["report_progress", "list"]);
    },
  );

  test("is not repeated if its answer is no longer known", async () => {
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

  test("a step that a person skipped stays skipped", async () => {
    const { play, names } = aPlay({ steps: [aReadStep({ status: "rejected" })] });

    expect(await play()).toMatchObject({ result: "success" });
    expect(names()).toEqual([]);
  });
});

describe("a call that waits for a person", () => {
  test.each(["APPROVAL_PENDING", "OUTCOME_UNKNOWN"])(
    "is repeated with the same arguments while it is %s",
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

  test("ends the execution when it is parked", async () => {
    const { play } = aPlay({}, { store: { answer: () => refusal("PARKED") } });

    await expect(play()).rejects.toThrow(Parked);
  });

  test("ends the execution with the reason if it is rejected", async () => {
    const { message, hint } = stepRejected(
      anApproval({ title: 'Sheet "A": 書き込み', decidedBy: "local", reason: "宛先が違う" }),
    );
    const store = { answer: () => refusal("STEP_REJECTED", { message, hint }) };
    const { play } = aPlay({ steps: [aReadStep(), aWriteStep(), aReadStep()] }, { store });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringMatching(
        /step-2 \(store\) で止めました: 却下されました: 宛先が違う \(step-1 list 完了\)$/,
      ),
    });
  });

  test("ends the execution if it is rejected, even if the reason sounds like a wish to continue", async () => {
    const list = { answer: () => refusal("STEP_REJECTED", { message: "Go on without this step" }) };

    expect(await aPlay({}, { list }).play()).toMatchObject({ result: "failure" });
  });

  test("is skipped if it is rejected with the wish to continue", async () => {
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
      summary: expect.stringMatching(
        /0 個のステップが終わりました。行わなかったもの: step-1 list、step-2 list。/,
      ),
    });
  });
});

test("a step whose answer was lost is called again, because the daemon knows whether it was forwarded", async () => {
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

describe("an interrupt", () => {
  const stop = { notifications: [{ type: "status_change", action: "cancelled", reason: "中止" }] };

  test("that a refusal mentions is read and followed", async () => {
    const get_notifications = { answer: () => stop };
    const list = { answer: () => refusal("STOP_REQUESTED") };
    const { play, names } = aPlay({}, { list, get_notifications });

    await expect(play()).rejects.toMatchObject({ action: "cancelled", reason: "中止" });
    expect(names()).toEqual(["report_progress", "list", "get_notifications"]);
  });

  test("is followed even if its notification is gone", async () => {
    const list = { answer: () => refusal("STOP_REQUESTED") };

    await expect(aPlay({}, { list }).play()).rejects.toBeInstanceOf(Interrupted);
  });

  test("that comes with any answer is followed before the next call", async () => {
    const get_notifications = { answer: () => stop };
    const report_progress = { answer: () => ({ notification: NOTIFICATION_LINE }) };
    const { play, names } = aPlay({}, { report_progress, get_notifications });

    await expect(play()).rejects.toBeInstanceOf(Interrupted);
    expect(names()).toEqual(["report_progress", "get_notifications"]);
  });
});

describe("a failed step", () => {
  test("a required argument without a value is not made up", async () => {
    const { play, callsOf } = aPlay({ steps: [aWriteStep()] });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("必須の引数 parcels"),
    });
    expect(callsOf("store")).toEqual([]);
  });

  test("a tool that fails ends the execution with the reason", async () => {
    const content = [{ type: "text" as const, text: "倉庫が\n閉まっている" }];
    const { play, callsOf } = aPlay({}, { list: { answer: () => ({ isError: true, content }) } });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("倉庫が 閉まっている"),
    });
    expect(callsOf("store")).toEqual([]);
  });
});

describe("a step that calls a role", () => {
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

  test("the field waitMore of an upstream tool has no meaning", async () => {
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

describe("several prompts for one step", () => {
  const steps = [aReadStep({ tool: "agent:writer", call: "agent_writer", inputSchema: null })];
  const request = '9月\n#rehearsal arg step-1.prompt ["一つ目", "二つ目"]';

  test("start one agent each at the same time", async () => {
    let open = 0;
    let atOnce = 0;
    const agent_writer: ScriptedTool = {
      async answer() {
        atOnce = Math.max(atOnce, ++open);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open--;
        return { status: "success", createdFiles: [`${open}.js`] };
      },
    };
    const { play, callsOf } = aPlay({ request, steps }, { agent_writer });

    expect(await play()).toMatchObject({
      result: "success",
      summary: expect.stringMatching(/できたファイル: 1\.js、0\.js$/),
    });
    expect(callsOf("agent_writer")).toEqual([{ prompt: "一つ目" }, { prompt: "二つ目" }]);
    expect(atOnce).toBe(2);
  });

  test("fail if one of their agents fails", async () => {
    const agent_writer: ScriptedTool = {
      answer: ({ prompt }) => (prompt === "二つ目" ? refusal("AGENT_FAILED") : { ok: true }),
    };

    expect(await aPlay({ request, steps }, { agent_writer }).play()).toMatchObject({
      result: "failure",
    });
  });

  test("are not repeated if an earlier executor got an answer to each", async () => {
    const results = ["a.js", "b.js"].map((file) => ({
      text: JSON.stringify({ createdFiles: [file] }),
    }));
    const step = aReadStep({
      tool: "agent:writer",
      call: "agent_writer",
      status: "stopped",
      results,
    });
    const { play, callsOf } = aPlay({ request, steps: [step] });

    expect(await play()).toMatchObject({
      result: "success",
      summary: expect.stringMatching(/できたファイル: a\.js、b\.js$/),
    });
    expect(callsOf("agent_writer")).toEqual([]);
  });
});

test("the answer to a tool directive fills an argument of a later step", async () => {
  const request = '9月\n#rehearsal before step-2 tool ask_human {"question": "どの題?"}';
  const ask_human = { answer: () => ({ title: "人が選んだ題" }) };
  const { play, callsOf } = aPlay({ request }, { ask_human });

  await play();

  expect(callsOf("store")).toMatchObject([{ title: "人が選んだ題" }]);
});
