import { expect, test } from "vitest";
import { aCore, someProgress, type TestCore } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { announceNotifications } from "./announce-notifications.ts";
import { notifyAgent } from "./notify-agent.ts";
import { sendMessage } from "./send-message.ts";

async function aSteerable(canSteer: boolean): Promise<{ core: TestCore; agentId: AgentId }> {
  const core = await aCore();
  const runners = new Map([...core.runners].map(([id, runner]) => [id, { ...runner, canSteer }]));
  const steerable = { ...core, runners };
  return { core: steerable, agentId: await aRunningAgent(steerable) };
}

test("a message is passed to a runner that can take it, and is read when it has arrived", async () => {
  const { core, agentId } = await aSteerable(true);

  const { id } = await sendMessage(core, main, { agentId, text: "急いで", from: "local" });
  await core.store.afterCommitted();

  expect(core.steered).toEqual([{ agentId, id, text: expect.stringContaining("急いで") }]);
  expect((await core.store.getNotification(id))?.status).toBe("pending");

  const progress = someProgress({ end: null, steered: [id] });
  await core.observe({ type: "progress", agentId, attempt: 1, progress });
  expect((await core.store.getNotification(id))?.status).toBe("read");
  expect(await announceNotifications(core, agentId)).toBeUndefined();
});

test("a message to another runner waits for the next tool call", async () => {
  const { core, agentId } = await aSteerable(false);

  await sendMessage(core, main, { agentId, text: "急いで", from: "local" });
  await core.store.afterCommitted();

  expect(core.steered).toEqual([]);
  expect(await announceNotifications(core, agentId)).toBeDefined();
});

test("a stop notification is passed as the line that names our tool, and stays open", async () => {
  const { core, agentId } = await aSteerable(true);

  const { id } = await core.store.transaction((unit) =>
    notifyAgent(core, unit, {
      agentId,
      type: "blocked",
      text: "",
      from: "local",
      taskId: "task-1",
    }),
  );
  await core.store.afterCommitted();
  const progress = someProgress({ end: null, steered: [id] });
  await core.observe({ type: "progress", agentId, attempt: 1, progress });

  expect(core.steered).toMatchObject([{ text: expect.stringContaining("get_notifications") }]);
  expect((await core.store.getNotification(id))?.status).toBe("pending");
});
