import { expect, test } from "vitest";
import { aCore, type TestCore } from "../../../../test/kit/core.ts";
import { anOutgoing, aThreadOf, headOf, THREAD_TS } from "../../../../test/kit/slack-outgoing.ts";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import {
  ANALYSIS,
  answer,
  askFor,
  decide,
  DESIGN,
  HR,
  PLAN,
  reject,
  upstreamWith,
} from "../../../../test/kit/task-flow.ts";
import { LOCAL_USER } from "../../../app/core.ts";
import { changeTaskStatus } from "../../../app/tasks/change-task-status.ts";
import type { TaskId } from "../../../domain/ids.ts";

async function aThread() {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const outgoing = await anOutgoing(core, slack, [acme]);
  const { id } = await askFor(core, { door: "slack" });
  await aThreadOf(core, id, { team: acme.id, channel });
  outgoing.taskChanged(id);
  const heads = async () => (await acme.thread(channel, THREAD_TS)).map(headOf);
  return { slack, acme, channel, core, outgoing, id, heads };
}

async function runTo(core: TestCore, id: TaskId, outgoing: { settle(): Promise<void> }) {
  await answer(core, id, ANALYSIS);
  await outgoing.settle();
  await answer(core, id, PLAN);
  await outgoing.settle();
}

test("the cards of a task appear in its thread in order, and each is rewritten in place", async () => {
  const { core, outgoing, id, heads } = await aThread();
  await outgoing.settle();
  expect(await heads()).toEqual(["受け付けました。タスクを分析中..."]);

  await answer(core, id, ANALYSIS);
  await outgoing.settle();
  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);

  await answer(core, id, PLAN);
  await outgoing.settle();
  await reject(core, id, "10月分も");
  await outgoing.settle();
  expect((await heads())[1]).toContain("再生成中");

  await answer(core, id, { content: "第二案" });
  await decide(core, id);
  await answer(core, id, DESIGN);
  await decide(core, id);
  await outgoing.settle();
  expect(await heads()).toEqual([
    ANALYSIS.title,
    expect.stringContaining("却下 → 再生成済み"),
    expect.stringContaining("承認済み"),
    expect.stringContaining("実行ステップ(承認済み)"),
    "🚀 実行中",
  ]);
});

test("a decision elsewhere removes the buttons of the card", async () => {
  const { core, outgoing, id, acme } = await aThread();
  await runTo(core, id, outgoing);
  const buttons = async () => JSON.stringify(await acme.cards()).split("approve_prompt").length - 1;
  expect(await buttons()).toBe(1);

  const decidedAt = core.clock.now();
  await changeTaskStatus(core, LOCAL_USER, { taskId: id, status: "cancelled", reason: "不要" });
  await outgoing.settle();

  expect(await buttons()).toBe(0);
  expect(core.clock.now() - decidedAt).toBeLessThan(5_000);
  expect(JSON.stringify(await acme.cards())).not.toContain('"action_id"');
});

test("a new task is shown without a further call", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  const core = await aCore({ upstream: upstreamWith(...HR) });
  await anOutgoing(core, slack, [acme], { hasTimers: true });

  await askFor(core, {
    door: "slack",
    also: async (unit, { id }) => {
      const thread = { team: acme.id, channel, threadTs: THREAD_TS, user: "U1", at: 0 };
      await unit.insertSlackThread({ ...thread, taskId: id, locale: "en" });
    },
  });

  await expect.poll(() => acme.cards()).toHaveLength(1);
  const { body } = slack.callsOf("chat.postMessage")[0] ?? {};
  expect(body).not.toHaveProperty("text");
  expect(body).toMatchObject({ thread_ts: THREAD_TS, attachments: [{ color: "#f2c744" }] });
});
