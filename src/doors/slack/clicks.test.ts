import { describe, expect, test } from "vitest";
import { aSlackDoor, type ASlackDoor, type SlackDoorKit } from "../../../test/kit/slack-door.ts";
import { ANALYSIS, answer, decide, drafterOf, PLAN } from "../../../test/kit/task-flow.ts";
import { taskSettingsOf } from "../../adapters/config/task-settings.ts";
import { decideApproval } from "../../app/approvals/decide-approval.ts";
import { requestApproval } from "../../app/approvals/request-approval.ts";
import { configSchema, type PolicySettings } from "../../contract/config/schema.ts";
import type { Approval, ApprovalKind } from "../../domain/approvals/approval.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { decisionValue, groupValue, taskValue } from "./button-values.ts";
import { ACTIONS } from "./cards/action-ids.ts";

const NOBODY: readonly string[] = [];

/** A task of alice in a thread, and a card with these buttons about its approval. */
async function aTaskInThread(options: ASlackDoor = {}) {
  const kit = await aSlackDoor(options);
  const sent = await kit.alice.mentions(kit.channel, "集計して");
  await expect.poll(kit.tasks).toHaveLength(1);
  const [task] = await kit.tasks();
  if (!task) throw new Error("no task");
  const thread = sent.message.ts;
  const card = (buttons: Readonly<Record<string, string>>) =>
    kit.card(kit.channel, thread, buttons);
  return { ...kit, task, thread, card };
}

type Kit = Omit<SlackDoorKit, "card"> & { readonly task: Task };

async function aPlanned(kit: Kit): Promise<Approval> {
  await answer(kit.core, kit.task.id, ANALYSIS);
  await answer(kit.core, kit.task.id, PLAN);
  const { approvals } = await kit.core.store.listApprovals({ statuses: ["pending"], limit: 5 });
  const [approval] = approvals;
  if (!approval) throw new Error("no approval");
  return approval;
}

function ask(kit: Kit, kind: ApprovalKind, shown: Approval["shown"], choices = NOBODY) {
  const { core, task } = kit;
  return core.store.transaction((unit) =>
    requestApproval(core, unit, {
      kind,
      taskId: task.id,
      requester: "alice",
      title: "確認",
      choices,
      shown,
    }),
  );
}

const read = (kit: Kit, { id }: Pick<Approval, "id">) => kit.core.store.getApproval(id);

async function modalOf(kit: Kit, user: { readonly id: string }) {
  await expect.poll(() => kit.acme.modal(user.id)).toBeDefined();
  const modal = await kit.acme.modal(user.id);
  if (!modal) throw new Error("no modal");
  return modal;
}

/** The configuration says who approves prompts. */
function withPolicy(prompt: PolicySettings): ASlackDoor {
  const { tasks } = configSchema.parse({ tasks: { approvals: { prompt } } });
  return { core: { settings: { tasks: taskSettingsOf(tasks) } } };
}

describe.each(["socket", "http"] as const)("In %s mode", (mode) => {
  test("a click approves exactly what the card shows", async () => {
    const kit = await aTaskInThread({ mode });
    const approval = await aPlanned(kit);
    const card = await kit.card({ [ACTIONS.approvePrompt]: decisionValue(approval) });

    expect(await kit.bob.click(card, ACTIONS.approvePrompt)).toMatchObject({ isAcked: true });

    await expect
      .poll(() => read(kit, approval))
      .toMatchObject({
        status: "approved",
        decidedBy: "bob",
      });
    const { entries } = await kit.core.store.listAudit({ subject: approval.id, limit: 1 });
    expect(entries).toMatchObject([
      {
        actor: "bob",
        data: {
          shownHash: approval.shownHash,
          via: { door: "slack", user: kit.bob.id, message: card.ts },
        },
      },
    ]);
    expect(await kit.told(kit.bob)).toEqual([]);
  });

  test("a rejection asks for a reason, which the next draft gets", async () => {
    const kit = await aTaskInThread({ mode });
    const approval = await aPlanned(kit);
    const card = await kit.card({ [ACTIONS.rejectPrompt]: decisionValue(approval) });
    await kit.bob.click(card, ACTIONS.rejectPrompt);
    const modal = await modalOf(kit, kit.bob);

    const blank = await kit.bob.submit(modal, { rejection_reason_block: "  " });
    expect(blank.payload).toMatchObject({ response_action: "errors" });
    const again = await kit.bob.submit(modal, { rejection_reason_block: "  " });
    expect(again.payload).toMatchObject({ response_action: "errors" });
    expect(await kit.acme.modal(kit.bob.id)).toMatchObject({ id: modal.id });
    expect(await read(kit, approval)).toMatchObject({ status: "pending" });
    const sent = await kit.bob.submit(modal, { rejection_reason_block: "10月も入れて" });

    expect(sent).toMatchObject({ isAcked: true, payload: {} });
    expect(await kit.acme.modal(kit.bob.id)).toBeUndefined();
    expect(await read(kit, approval)).toMatchObject({
      status: "rejected",
      decidedBy: "bob",
      reason: "10月も入れて",
    });
    const drafter = await drafterOf(kit.core, kit.task.id);
    expect(await kit.core.store.getPrompt(drafter.id)).toContain("10月も入れて");
  });

  test("a rejection that comes too late shows the decision that won", async () => {
    const kit = await aTaskInThread({ mode });
    const approval = await aPlanned(kit);
    const value = decisionValue(approval);
    const card = await kit.card({
      [ACTIONS.approvePrompt]: value,
      [ACTIONS.rejectPrompt]: value,
    });
    await kit.bob.click(card, ACTIONS.rejectPrompt);
    const modal = await modalOf(kit, kit.bob);
    await kit.alice.click(card, ACTIONS.approvePrompt);
    await expect.poll(() => read(kit, approval)).toMatchObject({ status: "approved" });

    const late = await kit.bob.submit(modal, { rejection_reason_block: "待って" });

    expect(late.payload).toMatchObject({ response_action: "update" });
    expect(JSON.stringify(late.payload)).toContain(`<@${kit.alice.id}>`);
    expect(await read(kit, approval)).toMatchObject({ status: "approved", decidedBy: "alice" });
  });

  test("unknown buttons and modals are acknowledged and answered", async () => {
    const kit = await aTaskInThread({ mode });
    const approval = await aPlanned(kit);
    const card = await kit.card({
      old_button: "1",
      [ACTIONS.approvePrompt]: "prm-1",
      [ACTIONS.rejectPrompt]: decisionValue(approval),
    });

    expect(await kit.alice.click(card, "old_button")).toMatchObject({ isAcked: true });
    expect(await kit.alice.click(card, ACTIONS.approvePrompt)).toMatchObject({ isAcked: true });
    await kit.alice.click(card, ACTIONS.rejectPrompt);
    const modal = await modalOf(kit, kit.alice);
    const old = { ...modal, view: { ...modal.view, callback_id: "old_modal" } };
    const sent = await kit.alice.submit(old, { rejection_reason_block: "待って" });
    expect(sent).toMatchObject({ isAcked: true });

    await expect.poll(() => kit.told(kit.alice)).toHaveLength(3);
    expect(await read(kit, approval)).toMatchObject({ status: "pending" });
    for (const text of await kit.told(kit.alice)) expect(text).toContain("もう使えません");
  });
});

test("one of two approvers who click at once wins, and the other learns who it was", async () => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.approvePrompt]: decisionValue(approval) });

  await Promise.all([
    kit.alice.click(card, ACTIONS.approvePrompt),
    kit.bob.click(card, ACTIONS.approvePrompt),
  ]);

  await expect.poll(() => read(kit, approval)).toMatchObject({ status: "approved" });
  const winner = (await read(kit, approval))?.decidedBy === "alice" ? kit.alice : kit.bob;
  const loser = winner === kit.alice ? kit.bob : kit.alice;
  await expect.poll(() => kit.told(loser)).toEqual([expect.stringContaining(`<@${winner.id}>`)]);
  expect(await kit.told(winner)).toEqual([]);
});

test("a decision in the browser and a click at once: one wins", async () => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.approvePrompt]: decisionValue(approval) });
  const vera = { id: "alice", name: "alice", role: "operator" } as const;

  const [byDoor] = await Promise.allSettled([
    decideApproval(
      kit.core,
      { kind: "person", person: vera },
      {
        approvalId: approval.id,
        decision: "reject",
        version: approval.version,
        reason: "だめ",
      },
    ),
    kit.bob.click(card, ACTIONS.approvePrompt),
  ]);

  await expect.poll(() => read(kit, approval)).not.toMatchObject({ status: "pending" });
  const decided = await read(kit, approval);
  const isByDoor = byDoor.status === "fulfilled";
  expect(decided?.decidedBy).toBe(isByDoor ? "alice" : "bob");
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(isByDoor ? 1 : 0);
});

test("a click on the card of an earlier version is refused and audited", async () => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const old = await kit.card({
    [ACTIONS.approvePrompt]: decisionValue({ ...approval, shownHash: "f".repeat(64) }),
    [ACTIONS.approveProcess]: decisionValue(approval),
  });
  const extended = await kit.card({
    [ACTIONS.approvePrompt]: decisionValue({ ...approval, version: approval.version + 1 }),
  });

  await kit.bob.click(old, ACTIONS.approvePrompt);
  await kit.bob.click(old, ACTIONS.approveProcess);
  await kit.bob.click(extended, ACTIONS.approvePrompt);

  await expect.poll(() => kit.told(kit.bob)).toHaveLength(3);
  for (const text of await kit.told(kit.bob)) expect(text).toContain("古いバージョン");
  expect(await read(kit, approval)).toMatchObject({ status: "pending" });
  const { entries } = await kit.core.store.listAudit({ subject: approval.id, limit: 5 });
  const refused = entries.filter(({ action }) => action === "approval.refused");
  expect(refused).toHaveLength(3);
  expect(refused).toMatchObject([{ actor: "bob" }, { actor: "bob" }, { actor: "bob" }]);
});

test("a click on the first version after the second one exists is refused and audited", async () => {
  const kit = await aTaskInThread();
  const first = await aPlanned(kit);
  const value = decisionValue(first);
  const old = await kit.card({ [ACTIONS.approvePrompt]: value, [ACTIONS.rejectPrompt]: value });
  await decide(kit.core, kit.task.id, { decision: "reject", reason: "10月も" });
  await answer(kit.core, kit.task.id, { content: "第二案" });

  await kit.bob.click(old, ACTIONS.approvePrompt);
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(1);
  await kit.bob.click(old, ACTIONS.rejectPrompt);

  await expect.poll(() => kit.told(kit.bob)).toHaveLength(2);
  for (const text of await kit.told(kit.bob)) expect(text).toContain("却下");
  expect(await kit.acme.modal(kit.bob.id)).toBeUndefined();
  expect(await read(kit, first)).toMatchObject({ status: "rejected", votes: { length: 1 } });
  const { approvals } = await kit.core.store.listApprovals({ statuses: ["pending"], limit: 5 });
  expect(approvals).toMatchObject([{ votes: [] }]);
  const { entries } = await kit.core.store.listAudit({ subject: first.id, actor: "bob", limit: 5 });
  expect(entries).toMatchObject([{ action: "approval.refused" }]);
});

test("a person who may not decide learns who may", async () => {
  const kit = await aTaskInThread(withPolicy({ approvers: ["alice"] }));
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.approvePrompt]: decisionValue(approval) });

  await kit.bob.click(card, ACTIONS.approvePrompt);

  await expect.poll(() => kit.told(kit.bob)).toEqual([expect.stringContaining(kit.alice.id)]);
  expect(await read(kit, approval)).toMatchObject({ status: "pending", votes: [] });
});

test("with a quorum each approval is confirmed, and a second click of one person counts once", async () => {
  const kit = await aTaskInThread(withPolicy({ quorum: 2 }));
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.approvePrompt]: decisionValue(approval) });

  await kit.bob.click(card, ACTIONS.approvePrompt);
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(1);
  await kit.bob.click(card, ACTIONS.approvePrompt);
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(2);
  expect(await read(kit, approval)).toMatchObject({ status: "pending", votes: { length: 1 } });
  await kit.alice.click(card, ACTIONS.approvePrompt);

  await expect.poll(() => read(kit, approval)).toMatchObject({ status: "approved" });
  expect((await kit.told(kit.bob))[1]).toContain("数えられています");
});

test("a call is approved, or rejected with what comes after it", async () => {
  const kit = await aTaskInThread();
  const [first, second] = [
    await ask(kit, "step", { tool: "write_rows", args: { rows: 3 } }),
    await ask(kit, "step", { tool: "write_rows", args: { rows: 4 } }),
  ];
  const approve = await kit.card({ [ACTIONS.approveStep]: decisionValue(first) });
  const reject = await kit.card({ [ACTIONS.rejectStep]: decisionValue(second) });

  await kit.bob.click(approve, ACTIONS.approveStep);
  await expect.poll(() => read(kit, first)).toMatchObject({ status: "approved" });
  await kit.bob.click(reject, ACTIONS.rejectStep);
  const modal = await modalOf(kit, kit.bob);
  await kit.bob.submit(modal, { call_reason_block: "列が違う", on_reject_block: "skip" });

  await expect
    .poll(() => read(kit, second))
    .toMatchObject({
      status: "rejected",
      reason: "列が違う",
      choice: { onReject: "skip" },
    });
});

test("a merge is approved, or rejected with a reason", async () => {
  const kit = await aTaskInThread();
  const [first, second] = [
    await ask(kit, "merge", { agentId: "impl-code-1-a", target: "main" }),
    await ask(kit, "merge", { agentId: "impl-code-1-b", target: "main" }),
  ];
  const approve = await kit.card({ [ACTIONS.approveMerge]: decisionValue(first) });
  const reject = await kit.card({ [ACTIONS.rejectMerge]: decisionValue(second) });

  await kit.bob.click(approve, ACTIONS.approveMerge);
  await expect.poll(() => read(kit, first)).toMatchObject({ status: "approved" });
  await kit.bob.click(reject, ACTIONS.rejectMerge);
  await kit.bob.submit(await modalOf(kit, kit.bob), { call_reason_block: "テストがない" });

  await expect
    .poll(() => read(kit, second))
    .toMatchObject({ status: "rejected", reason: "テストがない" });
});

test("a button of a step does not decide a merge", async () => {
  const kit = await aTaskInThread();
  const merge = await ask(kit, "merge", { agentId: "impl-code-1-a", target: "main" });
  const card = await kit.card({ [ACTIONS.approveStep]: decisionValue(merge) });

  await kit.bob.click(card, ACTIONS.approveStep);

  await expect.poll(() => kit.told(kit.bob)).toHaveLength(1);
  expect(await read(kit, merge)).toMatchObject({ status: "pending" });
});

test("questions and lost calls are answered", async () => {
  const kit = await aTaskInThread();
  const question = await ask(kit, "question", { question: "どれ?" }, ["A", "B"]);
  const free = await ask(kit, "question", { question: "なぜ?" });
  const lost = await ask(kit, "outcome", { tool: "write_rows" }, ["done", "repeat"]);
  const failed = await ask(kit, "outcome", { tool: "write_rows" }, ["done", "repeat"]);
  const cards = await Promise.all([
    kit.card({ [ACTIONS.answerQuestion]: decisionValue(question) }),
    kit.card({ [ACTIONS.answerQuestion]: decisionValue(free) }),
    kit.card({ [ACTIONS.outcomeRepeat]: decisionValue(lost) }),
    kit.card({ [ACTIONS.outcomeFailed]: decisionValue(failed) }),
  ]);

  await kit.alice.click(cards[0], ACTIONS.answerQuestion);
  await kit.alice.submit(await modalOf(kit, kit.alice), { answer_block: "1" });
  await expect.poll(() => read(kit, question)).toMatchObject({ choice: { answer: "B" } });
  await kit.alice.click(cards[1], ACTIONS.answerQuestion);
  await kit.alice.submit(await modalOf(kit, kit.alice), { answer_block: "急ぎなので" });
  await expect.poll(() => read(kit, free)).toMatchObject({ choice: { answer: "急ぎなので" } });
  await kit.alice.click(cards[2], ACTIONS.outcomeRepeat);
  await kit.alice.click(cards[3], ACTIONS.outcomeFailed);

  await expect.poll(() => read(kit, lost)).toMatchObject({ choice: { answer: "repeat" } });
  await expect.poll(() => read(kit, failed)).toMatchObject({ status: "rejected" });
});

test("a task is cancelled by a click, and a second click finds it cancelled", async () => {
  const kit = await aTaskInThread();
  const card = await kit.card({ [ACTIONS.cancelTask]: taskValue(kit.task.id) });

  await Promise.all([1, 2].map(() => kit.bob.click(card, ACTIONS.cancelTask)));

  const task = () => kit.core.store.getTask(kit.task.id);
  await expect.poll(task).toMatchObject({ status: "cancelled", statusBy: "bob" });
  const retry = await kit.card({ [ACTIONS.retryTask]: taskValue(kit.task.id) });
  await kit.bob.click(retry, ACTIONS.retryTask);
  await expect.poll(() => kit.told(kit.bob)).toEqual([expect.stringContaining("すでに終わって")]);
});

test.each([
  ["a user without a person", {}, "結び付いていません"],
  ["a guest", { isRestricted: true }, "ゲスト"],
  ["a user of another workspace", { teamId: "T0OTHER" }, "ほかのワークスペース"],
  ["a bot", { isBot: true }, "ボット"],
] as const)("no click of %s changes anything", async (_, over, why) => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const user = kit.acme.person("carol", over);
  if (Object.keys(over).length > 0) kit.settings.people.push({ user: user.id, person: "bob" });
  const value = decisionValue(approval);
  const card = await kit.card({
    [ACTIONS.approvePrompt]: value,
    [ACTIONS.rejectPrompt]: value,
    [ACTIONS.cancelTask]: taskValue(kit.task.id),
  });

  for (const action of [ACTIONS.approvePrompt, ACTIONS.rejectPrompt, ACTIONS.cancelTask]) {
    expect(await user.click(card, action)).toMatchObject({ isAcked: true });
  }

  await expect.poll(() => kit.told(user)).toHaveLength(3);
  for (const text of await kit.told(user)) expect(text).toContain(why);
  expect(await kit.acme.modal(user.id)).toBeUndefined();
  expect(await read(kit, approval)).toMatchObject({ status: "pending", votes: [] });
  expect(await kit.core.store.getTask(kit.task.id)).not.toMatchObject({ status: "cancelled" });
});

test("a viewer may not act, and gets an answer that says so", async () => {
  const kit = await aTaskInThread();
  const vera = kit.member("vera");
  const card = await kit.card({
    [ACTIONS.cancelTask]: taskValue(kit.task.id),
    [ACTIONS.stopGroup]: groupValue(kit.task.groupId),
  });

  await vera.click(card, ACTIONS.cancelTask);
  await vera.click(card, ACTIONS.stopGroup);
  await vera.dm("集計して");

  await expect.poll(() => kit.told(vera)).toHaveLength(3);
  for (const text of await kit.told(vera)) expect(text).toContain("閲覧のみ");
  expect(await kit.core.store.getTask(kit.task.id)).toMatchObject({ status: "analyzing" });
  const { entries } = await kit.core.store.listAudit({ actor: "vera", limit: 5 });
  expect(entries).toHaveLength(3);
});

test("a rejection whose check is slow is acknowledged in time, and counts", async () => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.rejectPrompt]: decisionValue(approval) });
  await kit.bob.click(card, ACTIONS.rejectPrompt);
  const modal = await modalOf(kit, kit.bob);
  kit.core.advance(5 * 60_000);
  kit.slack.faults.add("users.info", { delayMs: 3_500 });

  const sent = await kit.bob.submit(modal, { rejection_reason_block: "10月も" });

  expect(sent).toMatchObject({ isAcked: true, payload: {} });
  expect(await read(kit, approval)).toMatchObject({ status: "pending" });
  await expect
    .poll(() => read(kit, approval), { timeout: 20_000 })
    .toMatchObject({ status: "rejected", reason: "10月も" });
});

test("a modal that cannot open any more is answered with a hint to click again", async () => {
  const kit = await aTaskInThread();
  const approval = await aPlanned(kit);
  const card = await kit.card({ [ACTIONS.rejectPrompt]: decisionValue(approval) });
  kit.slack.faults.add("views.open", { error: "expired_trigger_id" });

  await kit.bob.click(card, ACTIONS.rejectPrompt);

  await expect.poll(() => kit.told(kit.bob)).toEqual([expect.stringContaining("もう一度")]);
  expect(await kit.acme.modal(kit.bob.id)).toBeUndefined();
});
