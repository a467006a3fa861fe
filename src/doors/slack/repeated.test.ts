import { expect, test } from "vitest";
import { aSlackDoor, type SlackDoorKit } from "../../../test/kit/slack-door.ts";
import { ANALYSIS, answer, PLAN } from "../../../test/kit/task-flow.ts";
import { requestApproval } from "../../app/approvals/request-approval.ts";
import { createSlackCode } from "../../app/people/slack-codes.ts";
import { decisionValue, taskValue } from "./button-values.ts";
import { ACTIONS } from "./cards/action-ids.ts";
import { readRequest } from "./receive/read-request.ts";

/** The daemon died before it could note that these requests were handled: all are new again. */
async function handleAllAgain(kit: SlackDoorKit): Promise<void> {
  const heads = kit.slack.answers.map(({ delivery }) => readRequest(delivery.payload));
  const keys = heads.flatMap((head) => (head ? [head.key] : []));
  const state = async (key: string) => (await kit.core.store.getSlackDelivery(key))?.status;
  const states = async () => new Set(await Promise.all(keys.map(state)));
  await expect.poll(states).toEqual(new Set(["done"]));
  await kit.door.close();
  await kit.core.store.transaction(async (unit) => {
    for (const key of keys) {
      await unit.updateSlackDelivery(key, { status: "new", tries: 0, error: null, nextAt: 0 });
    }
  });
  await kit.open();
  await expect.poll(states).toEqual(new Set(["done"]));
  await kit.core.quiet();
}

async function snapshot(kit: SlackDoorKit) {
  const { core, acme, channel } = kit;
  const { approvals } = await core.store.listApprovals({ limit: 50 });
  const { entries } = await core.store.listAudit({ limit: 100 });
  return {
    tasks: await kit.tasks(),
    approvals,
    audit: entries.map(({ action, actor, subject }) => [action, actor, subject]),
    messages: acme.history(channel).map(({ text }) => text),
    links: await core.store.listSlackLinks("vera"),
  };
}

test("requests that are handled again after a crash have no second effect", async () => {
  const kit = await aSlackDoor();
  const { core, alice, bob, channel, acme } = kit;
  const carol = acme.person("carol");
  const asked = await alice.mentions(channel, "集計して");
  await expect.poll(kit.tasks).toHaveLength(1);
  const [task] = await kit.tasks();
  if (!task) throw new Error("no task");
  await answer(core, task.id, ANALYSIS);
  await answer(core, task.id, PLAN);
  const { approvals } = await core.store.listApprovals({ statuses: ["pending"], limit: 5 });
  const [prompt] = approvals;
  const question = await core.store.transaction((unit) =>
    requestApproval(core, unit, {
      kind: "question",
      taskId: task.id,
      requester: "alice",
      title: "どれ?",
      shown: { question: "どれ?" },
    }),
  );
  if (!prompt) throw new Error("no approval");
  const card = await kit.card(channel, asked.message.ts, {
    [ACTIONS.rejectPrompt]: decisionValue(prompt),
    [ACTIONS.cancelTask]: taskValue(task.id),
  });
  await bob.click(card, ACTIONS.rejectPrompt);
  await expect.poll(() => acme.modal(bob.id)).toBeDefined();
  const modal = await acme.modal(bob.id);
  if (!modal) throw new Error("no modal");
  await bob.submit(modal, { rejection_reason_block: "10月も" });
  await alice.mentions(channel, "9月", { thread: asked.message.ts });
  await expect
    .poll(async () => (await core.store.getApproval(question.id))?.status)
    .toBe("approved");
  await alice.slash(channel, "/kuro", "勤怠を まとめて");
  await expect.poll(kit.tasks).toHaveLength(2);
  const { code } = await createSlackCode(core, {
    kind: "person",
    person: { id: "vera", name: "vera", role: "viewer" },
  });
  await carol.slash(channel, "/kuro", `link ${code}`);
  await bob.click(card, ACTIONS.cancelTask);
  await expect.poll(async () => (await core.store.getTask(task.id))?.status).toBe("cancelled");
  await expect.poll(() => kit.told(carol)).toHaveLength(1);
  const before = await snapshot(kit);

  await handleAllAgain(kit);

  expect(await snapshot(kit)).toEqual(before);
});
