import { expect, test } from "vitest";
import { aCore, ended } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import { announceNotifications } from "./announce-notifications.ts";
import { getNotifications } from "./get-notifications.ts";
import { sendMessage } from "./send-message.ts";

const line = "通知があります。get_notificationsを呼び出して確認してください。";

test("a message is announced on every answer until it is read, and its status shows the delivery", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  expect(await announceNotifications(core, agentId)).toBeUndefined();

  const { id } = await sendMessage(core, main, { agentId, text: "急いで", from: "local" });
  expect((await core.store.getNotification(id))?.status).toBe("pending");

  expect(await announceNotifications(core, agentId)).toBe(line);
  expect(await announceNotifications(core, agentId)).toBe(line);
  expect((await core.store.getNotification(id))?.status).toBe("announced");

  expect(await getNotifications(core, agentId)).toMatchObject([
    { id, text: "急いで", from: "local" },
  ]);
  expect((await core.store.getNotification(id))?.status).toBe("read");
  expect(await announceNotifications(core, agentId)).toBeUndefined();
  expect(await getNotifications(core, agentId)).toEqual([]);
});

test("a message to an agent that has ended is refused with a hint", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  await core.observe(ended(agentId));

  await expect(
    sendMessage(core, main, { agentId, text: "x", from: "local" }),
  ).rejects.toMatchObject({
    code: "NOTIFICATION_NOT_DELIVERABLE",
    hint: expect.stringContaining("run_agents"),
  });
});
