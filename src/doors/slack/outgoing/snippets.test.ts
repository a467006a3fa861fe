import { expect, test } from "vitest";
import { aRunningExecution, callOnce, refusalOf, WRITE } from "../../../../test/kit/execution.ts";
import { anOutgoing, aThreadOf, headOf, THREAD_TS } from "../../../../test/kit/slack-outgoing.ts";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import type { Fault } from "../../../../test/kit/slack/faults.ts";

const ROWS = Array.from({ length: 400 }, (_each, n) => ({ 社員: `社員${n}`, 残業: n }));

/** An executor wants to write 400 rows, which needs a person. */
async function aLongCall(fault?: readonly [string, Fault]) {
  const { core, task } = await aRunningExecution();
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  await aThreadOf(core, task.id, { team: acme.id, channel });
  if (fault) slack.faults.add(...fault);
  const outgoing = await anOutgoing(core, slack, [acme], { dashboardUrl: "https://kuro.example" });
  outgoing.taskChanged(task.id);
  await outgoing.settle();
  await refusalOf(
    callOnce(core, "list_employees").then(() => callOnce(core, WRITE, { rows: ROWS })),
  );
  await outgoing.settle();
  const thread = await acme.thread(channel, THREAD_TS);
  return { acme, core, slack, thread };
}

test("the exact arguments of a long call are a file in the thread, once and before the card", async () => {
  const { acme, thread } = await aLongCall();

  const [file, ...others] = [...acme.team.files.values()];
  expect(others).toEqual([]);
  expect(JSON.parse(file?.content.toString("utf8") ?? "")).toEqual({ rows: ROWS });
  const [upload, ask] = thread.slice(-2);
  expect(upload?.files).toHaveLength(1);
  expect(headOf(ask ?? {})).toContain("⏸️");
  expect(JSON.stringify(ask)).toContain("スニペット");
});

test.each([
  ["files.getUploadURLExternal", { error: "missing_scope" }],
  ["files.completeUploadExternal", { error: "internal_error" }],
  ["files.completeUploadExternal", { loseAnswer: true }],
] as const)("a card refers to the dashboard if %s fails: %j", async (method, fault) => {
  const { thread, core } = await aLongCall([method, fault]);

  const ask = thread.at(-1);
  expect(headOf(ask ?? {})).toContain("⏸️");
  expect(JSON.stringify(ask)).toContain("ダッシュボードで確認");
  expect(JSON.stringify(ask)).toContain("https://kuro.example/approvals/");
  const { entries } = await core.store.listAudit({ limit: 100 });
  expect(entries.map(({ action }) => action)).toContain("slack.message_failed");
});
