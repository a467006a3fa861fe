import { afterEach, beforeEach, expect, test } from "vitest";
import { fleetTools, refusal } from "../../test/kit/rehearsal/fleet.ts";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";
import {
  anAnalysis,
  anExecuting,
  aPlanning,
  aTaskPrompt,
} from "../../test/kit/rehearsal/task-prompts.ts";
import { aToolDaemon, type ScriptedTool } from "../../test/kit/rehearsal/tool-daemon.ts";
import type { DraftInput } from "../domain/tasks/drafting.ts";
import { INPUT_FENCE } from "../domain/tasks/drafting.ts";

let stage: Stage;

beforeEach(async () => {
  stage = await aStage("executor-1794733200-a3f2");
});

afterEach(() => stage.clear());

/** Runs a real rehearsal process in a role of a task, with scripted tools. */
async function play(
  prompt: string,
  more: Readonly<Record<string, ScriptedTool>> = {},
  agentId = "executor-1794733200-a3f2",
) {
  const daemon = await stage.use(
    aToolDaemon(
      {
        ...fleetTools(),
        report_completed: { answer: () => ({ registered: true }) },
        report_progress: { answer: () => ({ ok: true }) },
        list: { answer: () => ({ parcels: [{ id: "p1" }] }) },
        store: { answer: () => ({ written: 1 }) },
        ...more,
      },
      { agentId },
    ),
  );
  return { ...(await stage.run(prompt, daemon.env)), daemon };
}

test("a drafter's response is exactly its answer", async () => {
  const { code, daemon, progress } = await play(
    aTaskPrompt(anAnalysis()),
    {},
    "task-analyst-1794733200-a3f2",
  );

  expect(code).toBe(0);
  const [report] = daemon.callsOf("report_result");
  expect(report).toMatchObject({
    status: "success",
    summary: expect.stringMatching(/^リハーサル/),
  });
  expect(JSON.parse(String(report?.response))).toMatchObject({ title: "9月分をまとめて" });
  expect(progress.end?.text).toContain("リハーサル");
});

test("an executor reports with report_completed, once", async () => {
  const { code, daemon } = await play(aTaskPrompt(anExecuting()));

  expect(code).toBe(0);
  expect(daemon.callsOf("report_completed")).toMatchObject([
    { result: "success", summary: expect.stringMatching(/^リハーサル/) },
  ]);
  expect(daemon.callsOf("report_result")).toEqual([]);
});

test("a parked executor reports waiting, and succeeds", async () => {
  const { code, daemon } = await play(aTaskPrompt(anExecuting()), {
    store: { answer: () => refusal("PARKED") },
  });

  expect(code).toBe(0);
  expect(daemon.callsOf("report_completed")).toMatchObject([{ result: "waiting" }]);
});

test("an interrupted executor reports the type of its stop notification", async () => {
  const notification = {
    type: "status_change",
    action: "blocked",
    message: "変更されました",
    reason: "止めて",
  };
  const { code, daemon } = await play(aTaskPrompt(anExecuting()), {
    list: { answer: () => refusal("STOP_REQUESTED") },
    get_notifications: { answer: () => ({ notifications: [notification] }) },
  });

  expect(code).toBe(0);
  expect(daemon.callsOf("report_completed")).toMatchObject([
    { result: "blocked", summary: expect.stringContaining("止めて") },
  ]);
  expect(daemon.callsOf("store")).toEqual([]);
});

test("directives for another role do nothing, and directives without a role are reported as ignored", async () => {
  const request = "9月\n#rehearsal in planner fail だめ\n#rehearsal crash";

  const { code, progress, daemon } = await play(aTaskPrompt(anExecuting({ request })));

  expect(code).toBe(0);
  expect(progress.end?.text).toMatch(/無視しました.*crash/);
  expect(daemon.callsOf("report_completed")).toMatchObject([{ result: "success" }]);
});

test.each([
  ["a line of its own", aPlanning({ request: "9月\n#rehearsal in planner fail だめ" }), "だめ"],
  ["an unknown line", anExecuting({ request: "9月\n#rehearsal dance" }), "dance"],
  ["a line of a step", anExecuting({ request: "9月\n#rehearsal before step-2 fail 停電" }), "停電"],
])("%s makes the run fail without a report", async (_name, input: DraftInput, error) => {
  const { code, progress, daemon } = await play(aTaskPrompt(input));

  expect(code).toBe(1);
  expect(progress.end?.error).toContain(error);
  expect(daemon.calls.filter(({ name }) => /report_(?:result|completed)/.test(name))).toEqual([]);
});

test("a report directive before the first step leaves the steps out", async () => {
  const request = "9月\n#rehearsal in executor report failure やめます";

  const { daemon } = await play(aTaskPrompt(anExecuting({ request })));

  expect(daemon.calls.map(({ name }) => name)).toEqual(["report_result"]);
});

test("a drafter whose input cannot be read does not report success", async () => {
  const prompt = aTaskPrompt(anExecuting()).replace('"stage":"execution"', '"stage":"other"');

  const { code, progress, daemon } = await play(prompt);

  expect(code).toBe(1);
  expect(progress.end?.error).toContain("JSON");
  expect(daemon.calls).toEqual([]);
});

test("task directives in an ordinary prompt are reported as unusable", async () => {
  const { code, progress } = await stage.run("やって\n#rehearsal in planner sleep 1");

  expect(code).toBe(1);
  expect(progress.end?.error).toContain("タスクの依頼");
});

test("an input block does not turn another role into an internal role", async () => {
  const prompt = aTaskPrompt(anExecuting()).replace("- Role: executor", "- Role: impl-code");
  expect(prompt).toContain(INPUT_FENCE);

  const { daemon } = await play(prompt);

  expect(daemon.calls.map(({ name }) => name)).toEqual(["report_result"]);
});
