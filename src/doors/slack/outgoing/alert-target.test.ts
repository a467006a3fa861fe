import { expect, test } from "vitest";
import { NOON } from "../../../../test/kit/builders.ts";
import { aCore } from "../../../../test/kit/core.ts";
import type { AlertMessage, SentAlert } from "../../../app/ports/alert-target.ts";
import { createSlackAlertTarget } from "./alert-target.ts";
import type { SlackText } from "./start-slack-outgoing.ts";

async function aTarget(homeTeam: string | null = "T1") {
  const core = await aCore();
  const posted: SlackText[] = [];
  const target = createSlackAlertTarget({
    core,
    people: () => [
      { user: "U1", person: "tanaka" },
      { user: "U2", person: "suzuki" },
      { user: "U3", person: "suzuki" },
    ],
    homeTeam: async () => homeTeam ?? undefined,
    outgoing: { postText: async (text) => void posted.push(text) },
  });
  const send = (address: string, over: Partial<SentAlert> = {}) =>
    target.send(address, aMessage(over), new AbortController().signal);
  return { core, send, posted };
}

function aMessage(over: Partial<SentAlert>): AlertMessage {
  const alert: SentAlert = {
    id: "alr-1",
    kind: "task.failed",
    taskId: "task-1",
    groupId: null,
    agentId: null,
    approvalId: null,
    title: "Quarterly report",
    detail: null,
    requester: "tanaka",
    recipients: null,
    createdAt: NOON,
    path: "/tasks/task-1",
    url: "https://kuro.example.com/tasks/task-1",
    ...over,
  };
  return { id: "msg-1", alerts: [alert], locale: "en", at: NOON, isTest: false };
}

test("an alert goes to a channel, and its text has no mention", async () => {
  const { send, posted } = await aTarget();

  expect(await send("#ops", { title: "<!channel> <@U9>" })).toEqual({ isSent: true });

  expect(posted).toEqual([
    {
      team: "T1",
      channel: "#ops",
      key: "msg-1",
      text: "A task failed: &lt;!channel&gt; &lt;@U9&gt;\n<https://kuro.example.com/tasks/task-1>",
    },
  ]);
});

test("an alert for a person goes to the one Slack user who is that person", async () => {
  const { core, send, posted } = await aTarget();
  await core.store.transaction((unit) =>
    unit.putSlackLink({ team: "T1", user: "U7", personId: "sato", at: NOON }),
  );

  expect(await send("person:tanaka")).toEqual({ isSent: true });
  expect(await send("person:sato")).toEqual({ isSent: true });
  expect(posted.map(({ channel }) => channel)).toEqual(["U1", "U7"]);

  for (const person of ["suzuki", "nobody"]) {
    expect(await send(`person:${person}`)).toMatchObject({
      isSent: false,
      isFinal: true,
      reason: expect.stringContaining("slack.people"),
    });
  }
});

test("without a workspace of its own, alerts go to the only one, and to none of several", async () => {
  const { core, send, posted } = await aTarget(null);
  const install = (team: string) =>
    core.store.transaction((unit) =>
      unit.putSlackInstallation({
        team,
        enterprise: null,
        botUser: "U0",
        secret: "s",
        scopes: [],
        installedBy: "U1",
        at: NOON,
      }),
    );
  await install("T5");
  expect(await send("#ops")).toEqual({ isSent: true });
  expect(posted.map(({ team }) => team)).toEqual(["T5"]);

  await install("T6");
  expect(await send("#ops")).toMatchObject({
    isFinal: true,
    reason: expect.stringContaining("SLACK_BOT_TOKEN"),
  });
});
