import { expect, test } from "vitest";
import { aCore, type TestCore } from "../../../../test/kit/core.ts";
import {
  anOutgoing,
  aThreadOf,
  headOf,
  messageOf,
  THREAD_TS,
} from "../../../../test/kit/slack-outgoing.ts";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import { BOT_SCOPES } from "../../../../test/kit/slack/world.ts";
import {
  ANALYSIS,
  answer,
  askFor,
  decide,
  HR,
  PLAN,
  upstreamWith,
} from "../../../../test/kit/task-flow.ts";
import type { TaskId } from "../../../domain/ids.ts";

const isBig = (body: Readonly<Record<string, unknown>>) =>
  JSON.stringify(body["attachments"]).includes('"header"');

type Over = { readonly scopes?: readonly string[] };

/** A task that was requested in Slack and is being analyzed; nothing is posted yet. */
async function aTaskInSlack({ scopes = BOT_SCOPES }: Over = {}) {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme", scopes);
  const channel = acme.channel("general", []);
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const { id } = await askFor(core, { door: "slack" });
  await aThreadOf(core, id, { team: acme.id, channel });
  const start = () => anOutgoing(core, slack, [acme]);
  const heads = async () => (await acme.thread(channel, THREAD_TS)).map(headOf);
  const audit = async () =>
    (await core.store.listAudit({ limit: 100, subject: id })).entries.flatMap(({ action, data }) =>
      action.startsWith("slack.") ? [`${action} ${String(data["error"])}`] : [],
    );
  const key = (kind: string, version = 1) => `card:${id}:${kind}:${version}`;
  /** The prompt waits for a person. */
  const plan = async (outgoing: { settle(): Promise<void> }) => {
    await answer(core, id, ANALYSIS);
    await outgoing.settle();
    await answer(core, id, PLAN);
    await outgoing.settle();
  };
  return { slack, acme, channel, core, id, start, heads, audit, key, plan };
}

/** A task whose prompt card waits for a person. */
async function aPromptInSlack(over: Over = {}) {
  const task = await aTaskInSlack(over);
  const outgoing = await task.start();
  await task.plan(outgoing);
  return { ...task, outgoing };
}

test("a post whose answer was lost is found again and not repeated", async () => {
  const { slack, start, heads, core, key } = await aTaskInSlack();
  slack.faults.add("chat.postMessage", { loseAnswer: true });

  const outgoing = await start();
  await outgoing.settle();

  expect(await heads()).toHaveLength(1);
  expect(slack.callsOf("chat.postMessage")).toHaveLength(1);
  expect(slack.callsOf("conversations.replies")).toHaveLength(1);
  expect(await messageOf(core, key("task"))).toMatchObject({ status: "posted", error: null });
});

test("a post that never arrived is repeated after a look into the thread", async () => {
  const { slack, start, heads } = await aTaskInSlack();
  slack.faults.add("chat.postMessage", { loseRequest: true });

  const outgoing = await start();
  await outgoing.settle();

  expect(await heads()).toHaveLength(1);
  expect(slack.callsOf("chat.postMessage")).toHaveLength(2);
});

test.each([[{ status: 500 }], [{ error: "internal_error" }], [{ rateLimited: 7 }]] as const)(
  "a post that Slack could not take (%j) appears once, later",
  async (fault) => {
    const { slack, start, heads, audit } = await aTaskInSlack();
    slack.faults.add("chat.postMessage", fault, { times: 3 });

    const outgoing = await start();
    await outgoing.settle();

    expect(await heads()).toHaveLength(1);
    expect(await audit()).toEqual([]);
  },
);

test("a message that Slack could not take for a day is given up with an audit entry", async () => {
  const { slack, start, core, id, key, audit } = await aTaskInSlack();
  const outgoing = await start();
  await outgoing.settle();
  slack.faults.add("chat.update", { status: 500 }, { times: 2_000 });
  await answer(core, id, ANALYSIS);
  await outgoing.settle(3);
  await core.store.transaction(async (unit) => {
    const row = await unit.getSlackMessage(key("task"));
    if (row) await unit.putSlackMessage({ ...row, tries: 1_439 });
  });
  await outgoing.settle();

  expect(await messageOf(core, key("task"))).toMatchObject({ status: "dead", error: "gave_up" });
  expect(await audit()).toEqual(["slack.message_failed gave_up"]);
  const calls = slack.callsOf("chat.update").length;
  core.advance(24 * 3_600_000);
  await outgoing.settle();
  expect(slack.callsOf("chat.update")).toHaveLength(calls);
});

test("a message that was found again shows the newest state", async () => {
  const { slack, start, heads, core, id } = await aTaskInSlack();
  slack.faults.add("chat.postMessage", { loseAnswer: true });
  const outgoing = await start();
  await outgoing.settle(1);

  await answer(core, id, ANALYSIS);
  await outgoing.settle();

  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
});

test("without the right to read the channel, a lost post is given up until a person is needed", async () => {
  const scopes = BOT_SCOPES.filter((scope) => !scope.endsWith(":history"));
  const { slack, start, heads, core, key, audit, plan } = await aTaskInSlack({ scopes });
  slack.faults.add("chat.postMessage", { loseAnswer: true }, { times: 2 });
  const outgoing = await start();
  await outgoing.settle();
  expect(await messageOf(core, key("task"))).toMatchObject({
    status: "dead",
    error: "history_unreadable",
  });

  await plan(outgoing);

  expect(await heads()).toEqual([
    "受け付けました。タスクを分析中...",
    "📝 実行方針",
    "📝 実行方針",
  ]);
  expect(await messageOf(core, key("prompt"))).toMatchObject({ status: "posted", reposts: 1 });
  expect(await audit()).toContain("slack.message_failed history_unreadable");
});

test("a deleted card that a person needs is posted again, once", async () => {
  const { acme, channel, core, id, outgoing, heads, audit, key } = await aPromptInSlack();
  const extend = async (version: number) => {
    await core.store.transaction(async (unit) => {
      const [approval] = (await unit.listApprovals({ taskId: id, limit: 1 })).approvals;
      if (approval) await unit.updateApproval({ ...approval, version }, approval);
    });
    outgoing.taskChanged(id);
    await outgoing.settle();
  };
  const remove = async () => {
    const { ts } = await messageOf(core, key("prompt"));
    acme.deleteMessage({ channel, ts: ts ?? "", text: "", user: "" });
  };
  await remove();
  await extend(2);
  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
  expect(await messageOf(core, key("prompt"))).toMatchObject({ status: "posted", reposts: 1 });

  await remove();
  await extend(3);

  expect(await heads()).toEqual([ANALYSIS.title]);
  expect(await messageOf(core, key("prompt"))).toMatchObject({ status: "dead" });
  expect(await audit()).toEqual([
    "slack.message_failed message_not_found",
    "slack.message_reposted message_not_found",
  ]);
});

test.each(["is_archived", "channel_not_found", "not_in_channel", "missing_scope"])(
  "a message that Slack refuses with %s ends with an audit entry and no further call",
  async (error) => {
    const { slack, start, core, key, audit } = await aTaskInSlack();
    slack.faults.add("chat.postMessage", { error }, { times: 100 });

    const outgoing = await start();
    await outgoing.settle();

    expect(await messageOf(core, key("task"))).toMatchObject({ status: "dead", error });
    expect(await audit()).toEqual([`slack.message_failed ${error}`]);
    expect(slack.callsOf("chat.postMessage")).toHaveLength(1);
  },
);

test("an archived channel ends the cards, and the task goes on", async () => {
  const { acme, channel, core, id, outgoing, key, audit } = await aPromptInSlack();
  acme.archive(channel);
  await core.store.transaction(async (unit) => {
    const task = await unit.getTask(id);
    if (task) await unit.updateTask({ ...task, title: "別の名前" }, task);
  });
  outgoing.taskChanged(id);
  await outgoing.settle();

  expect(await messageOf(core, key("task"))).toMatchObject({
    status: "dead",
    error: "is_archived",
  });
  expect(await audit()).toEqual(["slack.message_failed is_archived"]);
});

test("a card that Slack does not accept is shown in a simpler form, with its buttons", async () => {
  const { slack, start, acme, core, id, audit } = await aTaskInSlack();
  const outgoing = await start();
  await answer(core, id, ANALYSIS);
  await outgoing.settle();
  slack.faults.add("chat.update", { error: "invalid_attachments" }, { times: 9, when: isBig });

  await answer(core, id, PLAN);
  await outgoing.settle();

  expect(await audit()).toEqual(["slack.card_simplified invalid_attachments"]);
  expect(JSON.stringify(await acme.cards())).toContain('"approve_prompt"');
});

test("with a revoked token everything ends, and a repaired one shows all of it after a restart", async () => {
  const { acme, core, start, heads, key, plan } = await aTaskInSlack();
  acme.botToken.error = "token_revoked";
  const outgoing = await start();
  await plan(outgoing);
  expect(await messageOf(core, key("task"))).toMatchObject({ status: "dead" });
  await outgoing.close();
  delete acme.botToken.error;

  const next = await start();
  await next.settle();

  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
});

test("a removed workspace gets nothing more, and a new installation shows all of it", async () => {
  const { slack, acme, core, id, outgoing, heads, key } = await aPromptInSlack();
  await core.store.transaction((unit) => unit.deleteSlackInstallation(acme.id));
  acme.botToken.error = "account_inactive";
  const calls = slack.calls.length;
  await decide(core, id);
  await outgoing.settle();
  expect(slack.calls).toHaveLength(calls + 1);
  expect(await messageOf(core, key("prompt"))).toMatchObject({ status: "dead" });

  delete acme.botToken.error;
  await outgoing.resume();
  await outgoing.settle();

  expect(await heads()).toEqual([
    ANALYSIS.title,
    expect.stringContaining("承認済み"),
    "⚙️ 実行ステップ",
  ]);
});

test("after an hour without Slack the newest state arrives, once", async () => {
  const { slack, start, acme, channel, heads, core, plan } = await aTaskInSlack();
  const outgoing = await start();
  await outgoing.settle();
  const sent = slack.calls.length;
  await slack.goDown();
  await plan({ settle: () => outgoing.settle(10) });
  for (let minutes = 0; minutes < 60; minutes++) {
    core.advance(60_000);
    await outgoing.settle(1);
  }
  await slack.comeBack();

  await outgoing.settle();

  expect(await heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
  const [card] = await acme.thread(channel, THREAD_TS);
  expect(card && acme.versions(card)).toHaveLength(2);
  expect(slack.calls.length - sent).toBe(2);
});

test("a rate limit on updates delays neither posts nor other workspaces", async () => {
  const slack = await aFakeSlack();
  const [acme, umbrella] = [slack.workspace("acme"), slack.workspace("umbrella")];
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const outgoing = await anOutgoing(core, slack, [acme, umbrella]);
  const begin = async (each: typeof acme) => {
    const channel = each.channel("general", []);
    const { id } = await askFor(core, { door: "slack" });
    await aThreadOf(core, id, { team: each.id, channel });
    outgoing.taskChanged(id);
    await outgoing.settle();
    return { id, heads: async () => (await each.thread(channel, THREAD_TS)).map(headOf) };
  };
  const [limited, free] = [await begin(acme), await begin(umbrella)];
  slack.faults.add("chat.update", { rateLimited: 30 }, { times: 1 });
  await answer(core, limited.id, ANALYSIS);
  await outgoing.settle(1);
  await answer(core, free.id, ANALYSIS);
  core.advance(3_000);
  await outgoing.settle(1);

  expect(await limited.heads()).toEqual(["受け付けました。タスクを分析中...", "📝 実行方針"]);
  expect(await free.heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
  await outgoing.settle();
  expect(await limited.heads()).toEqual([ANALYSIS.title, "📝 実行方針"]);
});

test("200 changes of tasks in two workspaces never use the token of the other", async () => {
  const slack = await aFakeSlack();
  const workspaces = [slack.workspace("acme"), slack.workspace("umbrella")];
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const outgoing = await anOutgoing(core, slack, workspaces);
  const channels = new Map<string, string>();
  const tasks: TaskId[] = [];
  for (let n = 0; n < 20; n++) {
    const workspace = workspaces[n % 2];
    if (!workspace) throw new Error("There are two.");
    const { id } = await askFor(core, { door: "slack" });
    const channel = workspace.channel(`c${n}`, []);
    channels.set(channel, workspace.id);
    await aThreadOf(core, id, { team: workspace.id, channel });
    tasks.push(id);
  }
  for (let round = 0; round < 10; round++) {
    for (const id of tasks) {
      await changeTitle(core, id, `${round}`);
      outgoing.taskChanged(id);
    }
    core.advance(3_000);
    await outgoing.settle(3);
  }
  await outgoing.settle();

  const calls = slack.calls.filter(({ method }) => method.startsWith("chat."));
  expect(calls.length).toBeGreaterThan(40);
  expect(new Set(calls.map(({ body }) => body["channel"])).size).toBe(20);
  for (const { teamId, body } of calls) {
    expect(teamId).toBe(channels.get(String(body["channel"])));
  }
});

async function changeTitle(core: TestCore, id: TaskId, title: string): Promise<void> {
  await core.store.transaction(async (unit) => {
    const task = await unit.getTask(id);
    if (task) await unit.updateTask({ ...task, title, status: "planning" }, task);
  });
}

test("a message to a user opens the direct messages, and the same key changes it", async () => {
  const { slack, acme, start, core } = await aTaskInSlack();
  const tanaka = acme.person("tanaka");
  const outgoing = await start();
  const alert = { team: acme.id, channel: tanaka.id, key: "alert-1" };
  await outgoing.postText({ ...alert, text: "待っています" });
  await outgoing.settle();
  await outgoing.postText({ ...alert, text: "終わりました" });
  await outgoing.settle();

  const { channel, ts } = await messageOf(core, "text:alert-1");
  expect(acme.versions({ channel, ts: ts ?? "" }).map(({ text }) => text)).toEqual([
    "待っています",
    "終わりました",
  ]);
  expect(slack.callsOf("conversations.open")).toHaveLength(1);
});
