import { describe, expect, test } from "vitest";
import { aSlackDoor } from "../../../test/kit/slack-door.ts";

describe.each(["socket", "http"] as const)("In %s mode", (mode) => {
  test("a mention creates a task of the person, shown in the thread of the message", async () => {
    const { alice, channel, acme, core, tasks } = await aSlackDoor({ mode });

    const sent = await alice.mentions(channel, "9月分の <残業> & 有給を集計して");

    expect(sent).toMatchObject({ isAcked: true, attempts: { length: 1 } });
    await expect.poll(tasks).toHaveLength(1);
    const [task] = await tasks();
    expect(task).toMatchObject({
      request: "9月分の <残業> & 有給を集計して",
      requester: "alice",
      door: "slack",
    });
    const thread = await core.store.getSlackThread(acme.id, channel, sent.message.ts);
    expect(thread).toMatchObject({ taskId: task?.id, user: alice.id });
    const { entries } = await core.store.listAudit({ subject: task?.id ?? "", limit: 1 });
    expect(entries).toMatchObject([{ actor: "alice", action: "task.created" }]);
  });
});
