import { expect, test } from "vitest";
import type { Fields } from "../../../src/base/narrow.ts";
import { card } from "./bolt-app.ts";
import { aClient } from "./client.ts";
import { TIERS } from "./limits.ts";

test("A fault meets the named method as often as asked, and no other", async () => {
  const { slack, client, channel, post } = await aClient();
  slack.faults.add("chat.postMessage", { rateLimited: 30 });
  slack.faults.add("chat.postMessage", { status: 500 });
  slack.faults.add("chat.postMessage", { error: "fatal_error" });
  await client.auth.test();
  await expect(post()).rejects.toMatchObject({ retryAfter: 30 });
  await expect(post()).rejects.toMatchObject({ statusCode: 500 });
  await expect(post()).rejects.toThrow("fatal_error");
  await post();
  const calls = slack.callsOf("chat.postMessage");
  expect(calls.map(({ status }) => status)).toEqual([429, 500, 200, 200]);
  expect((await client.conversations.history({ channel })).messages).toHaveLength(1);
});

test("A fault can be limited to some calls and removed", async () => {
  const { slack, post } = await aClient();
  const options = { times: Infinity, when: (body: Fields) => body["text"] === "B" };
  const remove = slack.faults.add("*", { error: "fatal_error" }, options);
  await post({ text: "A" });
  await expect(post({ text: "B" })).rejects.toThrow("fatal_error");
  await expect(post({ text: "B" })).rejects.toThrow("fatal_error");
  remove();
  await post({ text: "B" });
});

test("A lost answer leaves the message behind, a lost request does not", async () => {
  const { slack, workspace, channel, post } = await aClient();
  slack.faults.add("chat.postMessage", { loseAnswer: true });
  slack.faults.add("chat.postMessage", { loseRequest: true });
  await expect(post({ text: "first" })).rejects.toMatchObject({ code: REQUEST_ERROR });
  await expect(post({ text: "second" })).rejects.toMatchObject({ code: REQUEST_ERROR });
  expect(workspace.history(channel)).toMatchObject([{ text: "first" }]);
});

test("A slow answer comes after the delay and takes effect", async () => {
  const { slack, workspace, channel, post } = await aClient();
  slack.faults.add("chat.postMessage", { delayMs: 100 });
  const posting = post();
  await expect.poll(() => slack.callsOf("chat.postMessage")).toHaveLength(1);
  expect(workspace.history(channel)).toHaveLength(0);
  await posting;
  expect(workspace.history(channel)).toHaveLength(1);
});

test("The fake Slack refuses connections while it is down and has its state afterwards", async () => {
  const { slack, client, channel, post } = await aClient();
  const ts = await post(card("before", []));
  await slack.goDown();
  await expect(post()).rejects.toMatchObject({ code: REQUEST_ERROR });
  await slack.comeBack();
  await client.chat.update({ channel, ts, ...card("after", []) });
});

test("The rate limits count per workspace and method, and per channel for new messages", async () => {
  let now = 0;
  const limits = { perMinute: TIERS, burst: 2, now: () => now };
  const { slack, workspace, client, clientFor, channel, post } = await aClient({ limits });
  const ts = await post();
  const update = () => client.chat.update({ channel, ts, text: "x" });
  await update();
  await update();
  await expect(update()).rejects.toMatchObject({ retryAfter: 2 });
  const second = workspace.channel("second", []);
  await post();
  await expect(post()).rejects.toMatchObject({ retryAfter: 1 });
  await post({ channel: second });
  const other = slack.workspace("other");
  const otherChannel = other.channel("general", []);
  const args = { channel: otherChannel, text: "x" };
  await clientFor(other.botToken.value).apiCall("chat.postMessage", args);
  now = 1_000;
  await expect(update()).rejects.toMatchObject({ retryAfter: 1 });
  now = 1_200;
  await update();
});

const REQUEST_ERROR = "slack_webapi_request_error";
