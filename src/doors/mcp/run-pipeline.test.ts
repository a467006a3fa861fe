import { expect, test } from "vitest";
import { textsOf } from "../../../test/kit/call-own-tool.ts";
import { aCore } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import type { Identity } from "../../app/core.ts";
import { sendMessage } from "../../app/notifications/send-message.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import { Refusal } from "../../domain/refusal.ts";
import { runPipeline, type ToolHandler } from "./run-pipeline.ts";

test("stages run in order, and a caller that is not authorized reaches no later one", async () => {
  const { stages, handler } = aHandler();
  const denied = { ...handler, authorize: () => Promise.reject(refusal("NOT_ALLOWED")) };
  const core = await aCore();

  await runPipeline(core, aRequest(), handler);
  const answer = await runPipeline(core, aRequest(), denied);

  expect(stages).toEqual(["authorize", "declaredArguments", "run"]);
  expect(codeOf(answer)).toBe("NOT_ALLOWED");
});

test("a caller that cannot be identified is refused before anything is authorized", async () => {
  const { stages, handler } = aHandler();
  const request = { ...aRequest(), identify: () => Promise.reject(refusal("NOT_SIGNED_IN")) };

  const answer = await runPipeline(await aCore(), request, handler);

  expect(codeOf(answer)).toBe("NOT_SIGNED_IN");
  expect(stages).toEqual([]);
});

test("arguments that are not an object are refused and not run", async () => {
  const { stages, handler } = aHandler();

  const answer = await runPipeline(await aCore(), { ...aRequest(), args: [1] }, handler);

  expect(codeOf(answer)).toBe("INVALID_ARGUMENTS");
  expect(stages).not.toContain("run");
});

test("a bug in a tool is logged, answered as the tool defines, and announces notifications", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await sendMessage(core, main, { agentId, text: "急いで", from: "local" });
  const { handler } = aHandler();
  const broken = { ...handler, run: () => Promise.reject(new Error("a bug")) };

  const answer = await runPipeline(
    core,
    aRequest({ kind: "agent", agentId, role: "impl-code" }),
    broken,
  );

  expect(textsOf(answer)[0]).toBe(NOTIFICATION_LINE);
  expect(codeOf(answer)).toBe("INTERNAL_ERROR");
});

function aHandler() {
  const stages: string[] = [];
  const handler: ToolHandler<string> = {
    authorize: async () => {
      stages.push("authorize");
      return "tool";
    },
    declaredArguments: () => {
      stages.push("declaredArguments");
      return {};
    },
    run: async () => {
      stages.push("run");
      return { structuredContent: {} };
    },
    unexpected: () => refusal("INTERNAL_ERROR"),
  };
  return { stages, handler };
}

function aRequest(identity: Identity = main) {
  return {
    name: "tool",
    args: {},
    identify: async () => identity,
    signal: new AbortController().signal,
    patienceMs: 0,
    beat: () => {},
  };
}

function refusal(code: Refusal["code"]): Refusal {
  return new Refusal(code, { en: ["x", "y"], ja: ["x", "y"] });
}

function codeOf(answer: Parameters<typeof textsOf>[0]): unknown {
  return JSON.parse(textsOf(answer).at(-1) ?? "{}").code;
}
