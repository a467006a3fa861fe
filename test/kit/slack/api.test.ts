import { expect, test } from "vitest";
import { card } from "./bolt-app.ts";
import { aClient } from "./client.ts";
import { textsOf } from "./texts.ts";

test("The fake Slack names the bot of a token and its scopes", async () => {
  const { client, workspace } = await aClient();
  const { team } = workspace;
  expect(await client.auth.test()).toMatchObject({
    ok: true,
    team_id: team.id,
    user_id: team.botUserId,
    bot_id: team.botId,
    response_metadata: { scopes: expect.arrayContaining(["chat:write"]) },
  });
});

test("The fake Slack refuses wrong, revoked and inactive tokens and missing scopes", async () => {
  const { slack, workspace, client, clientFor } = await aClient();
  await expect(clientFor("xoxb-wrong").auth.test()).rejects.toThrow("invalid_auth");
  await expect(clientFor(slack.app.appToken).auth.test()).rejects.toThrow("not_allowed_token_type");
  await expect(client.apps.connections.open()).rejects.toThrow("not_allowed_token_type");
  const reader = slack.workspace("reader", ["users:read"]);
  const args = { channel: "C1", text: "x" };
  const refused = clientFor(reader.botToken.value).apiCall("chat.postMessage", args);
  await expect(refused).rejects.toMatchObject({
    data: { error: "missing_scope", needed: "chat:write", provided: "users:read" },
  });
  workspace.botToken.error = "token_revoked";
  await expect(client.auth.test()).rejects.toThrow("token_revoked");
  workspace.botToken.error = "account_inactive";
  await expect(client.auth.test()).rejects.toThrow("account_inactive");
});

test("The fake Slack keeps the thread, the versions and the metadata of messages", async () => {
  const { workspace, channel, client, post } = await aClient();
  const root = await post();
  const metadata = { event_type: "card", event_payload: { key: "k" } };
  const ts = await post({ thread_ts: root, ...card("waiting", ["ok"]), metadata });
  await client.chat.update({ channel, ts, ...card("done", []) });
  const replies = { channel, ts: root, include_all_metadata: true };
  expect(await client.conversations.replies(replies)).toMatchObject({
    messages: [{ ts: root }, { ts, thread_ts: root, metadata, bot_id: workspace.team.botId }],
  });
  expect(workspace.versions({ channel, ts }).map(textsOf)).toEqual(["*waiting*\nok", "*done*"]);
  const permalink = { channel, message_ts: ts };
  expect(await client.chat.getPermalink(permalink)).toMatchObject({
    permalink: expect.stringContaining(`thread_ts=${root}`),
  });
  await client.chat.delete({ channel, ts });
  const update = client.chat.update({ channel, ts, text: "x" });
  await expect(update).rejects.toThrow("message_not_found");
  expect(await workspace.thread(channel, root)).toHaveLength(1);
});

test("The fake Slack refuses messages where the app may not write", async () => {
  const { workspace, alice, channel, client, post } = await aClient();
  const sent = await alice.says(channel, "mine");
  const foreign = { channel, ts: sent.message.ts, text: "x" };
  await expect(client.chat.update(foreign)).rejects.toThrow("cant_update_message");
  await expect(post({ text: "" })).rejects.toThrow("no_text");
  await expect(post({ blocks: "[{" })).rejects.toThrow("invalid_blocks_format");
  await expect(post({ channel: "C404" })).rejects.toThrow("channel_not_found");
  const bob = workspace.person("bob");
  const ephemeral = client.chat.postEphemeral({ channel, user: bob.id, text: "x" });
  await expect(ephemeral).rejects.toThrow("user_not_in_channel");
  workspace.removeAppFrom(channel);
  await expect(post()).rejects.toThrow("not_in_channel");
  workspace.archive(channel);
  await expect(post()).rejects.toThrow("is_archived");
});

test("The fake Slack posts to a user id as a direct message", async () => {
  const { workspace, alice, client, post } = await aClient();
  await post({ channel: alice.id, ...card("direct", []) });
  const [message] = await workspace.cards();
  const { channel } = await client.conversations.open({ users: alice.id });
  expect(message?.channel).toBe(channel?.id);
});

test("The fake Slack tells guests, bots, strangers and people who left apart", async () => {
  const { workspace, client } = await aClient();
  const infoOf = async (user: string) => (await client.users.info({ user })).user;
  const guest = workspace.person("guest", { isUltraRestricted: true });
  const stranger = workspace.person("stranger", { teamId: "T404" });
  const bot = workspace.person("bot", { isBot: true });
  const left = workspace.person("left");
  left.leavesWorkspace();
  expect(await infoOf(guest.id)).toMatchObject({ is_ultra_restricted: true, deleted: false });
  expect(await infoOf(stranger.id)).toMatchObject({ is_stranger: true, team_id: "T404" });
  expect(await infoOf(bot.id)).toMatchObject({ is_bot: true });
  expect(await infoOf(left.id)).toMatchObject({ deleted: true });
  await expect(infoOf("U404")).rejects.toThrow("user_not_found");
});

test("The fake Slack lists the members of channels and user groups", async () => {
  const { workspace, alice, channel, client } = await aClient();
  const usergroup = workspace.userGroup("approvers", [alice]);
  expect(await client.usergroups.users.list({ usergroup })).toMatchObject({ users: [alice.id] });
  expect(await client.usergroups.list()).toMatchObject({ usergroups: [{ handle: "approvers" }] });
  const first = await client.conversations.members({ channel, limit: 1 });
  expect(first).toMatchObject({ members: [workspace.team.botUserId] });
  const cursor = first.response_metadata?.next_cursor ?? "";
  const second = await client.conversations.members({ channel, cursor });
  expect(second).toMatchObject({ members: [alice.id] });
  expect(await client.conversations.info({ channel })).toMatchObject({
    channel: { name: "general", is_member: true, is_archived: false },
  });
});

test("The fake Slack takes an uploaded file and gives a private file to its token only", async () => {
  const { slack, workspace, alice, channel, client, post } = await aClient();
  const thread_ts = await post();
  const upload = { channel_id: channel, thread_ts, filename: "long.txt", content: "the text" };
  await client.filesUploadV2(upload);
  const [, reply] = await workspace.thread(channel, thread_ts);
  expect(reply?.files).toMatchObject([{ name: "long.txt", size: 8 }]);

  const files = [{ name: "a.txt", mimetype: "text/plain", content: "secret" }];
  const { message } = await alice.says(channel, "look", { files });
  const { file } = await client.files.info({ file: String(message.files?.[0]?.["id"]) });
  const get = (token: string) =>
    fetch(file?.url_private ?? "", {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
    });
  expect(await (await get(workspace.botToken.value)).text()).toBe("secret");
  expect((await get(slack.workspace("other").botToken.value)).status).toBe(302);
});

test("The fake Slack opens one modal per trigger", async () => {
  const { slack, workspace, alice, channel, client, post } = await aClient();
  const ts = await post(card("waiting", ["open"]));
  const [shown] = await workspace.thread(channel, ts);
  if (!shown) throw new Error("no message");
  const clicked = await alice.click(shown, "open");
  expect(clicked).toMatchObject({ isAcked: false, reason: "no_socket" });
  const trigger_id = String(clicked.delivery.payload["trigger_id"]);
  const view = { type: "modal" as const, title: { type: "plain_text" as const, text: "T" } };
  const open = (id: string) =>
    client.views.open({ trigger_id: id, view: { ...view, blocks: [], external_id: "one" } });
  await expect(open("wrong")).rejects.toThrow("invalid_trigger_id");
  const { view: opened } = await open(trigger_id);
  await expect(open(trigger_id)).rejects.toThrow("exchanged_trigger_id");
  const hash = { view_id: opened?.id ?? "", hash: "old", view: { ...view, blocks: [] } };
  await expect(client.views.update(hash)).rejects.toThrow("hash_conflict");
  const { trigger_id: second } = (await alice.click(shown, "open")).delivery.payload;
  await expect(open(String(second))).rejects.toThrow("duplicate_external_id");
  expect(slack.callsOf("views.open")).toHaveLength(4);
});

test("A trigger of the fake Slack expires", async () => {
  const { alice, channel, client } = await aClient({ triggerMs: -1 });
  const { delivery } = await alice.slash(channel, "/kuro");
  const title = { type: "plain_text" as const, text: "T" };
  const view = { type: "modal" as const, title, blocks: [] };
  const opening = client.views.open({ trigger_id: String(delivery.payload["trigger_id"]), view });
  await expect(opening).rejects.toThrow("expired_trigger_id");
});

test("The fake Slack keeps streams, sessions and suggested prompts", async () => {
  const { workspace, alice, channel, client, post } = await aClient();
  const thread_ts = await post();
  await expect(client.apiCall("chat.startStream", { channel, thread_ts })).rejects.toThrow(
    "missing_recipient_team_id",
  );
  const recipient = { recipient_user_id: alice.id, recipient_team_id: workspace.id };
  const markdown_text = "one";
  const { ts } = await client.chat.startStream({ channel, thread_ts, markdown_text, ...recipient });
  const stream = { channel, ts: ts ?? "" };
  const chunks = [{ type: "plan_update" as const, title: "Plan" }];
  await client.chat.appendStream({ ...stream, chunks });
  await client.chat.stopStream({ ...stream, markdown_text: " two" });
  expect(workspace.stored(stream)).toMatchObject({
    versions: [{ text: "one two" }, { text: "one two" }],
    stream: { isOpen: false, chunks: { length: 3 } },
  });
  const again = client.chat.appendStream({ ...stream, chunks });
  await expect(again).rejects.toThrow("message_not_in_streaming_state");

  const prompts = [{ title: "Hours", message: "Sum up the hours" }];
  const thread = { channel_id: channel, thread_ts };
  await client.apiCall("assistant.threads.setSuggestedPrompts", { channel_id: channel, prompts });
  await client.assistant.threads.setStatus({ ...thread, status: "is thinking" });
  await client.assistant.threads.setTitle({ ...thread, title: "Hours" });
  await client.apiCall("agents.sessions.setStatus", { ...thread, status: "processing" });
  await client.apiCall("agents.sessions.rename", { ...thread, title: "New" });
  expect(workspace.agentThread(channel)).toMatchObject({ prompts });
  expect(workspace.agentThread(channel, thread_ts)).toMatchObject({
    status: "is thinking",
    title: "Hours",
    sessionStatus: "processing",
    sessionTitle: "New",
  });
});

test("A stream of the fake Slack ends if its next part comes too late", async () => {
  const { workspace, alice, channel, client, post } = await aClient({ streamIdleMs: -1 });
  const recipient = { recipient_user_id: alice.id, recipient_team_id: workspace.id };
  const { ts = "" } = await client.chat.startStream({
    channel,
    thread_ts: await post(),
    ...recipient,
  });
  const late = client.chat.appendStream({ channel, ts, markdown_text: "late" });
  await expect(late).rejects.toThrow("message_not_in_streaming_state");
});

test("The fake Slack exchanges the code of an installation once", async () => {
  const { slack, workspace, alice, clientFor } = await aClient();
  const { clientId: client_id, clientSecret: client_secret } = slack.app;
  const redirect_uri = "http://127.0.0.1:1/slack/oauth_redirect";
  const query = { client_id, scope: "chat:write,users:read", state: "s1", redirect_uri };
  const page = `https://slack.com/oauth/v2/authorize?${String(new URLSearchParams(query))}`;
  const { searchParams } = new URL(slack.agreeToInstall(workspace, alice, page));
  expect(searchParams.get("state")).toBe("s1");
  const code = searchParams.get("code") ?? "";
  const exchange = () =>
    clientFor("").oauth.v2.access({ client_id, client_secret, code, redirect_uri });
  const { access_token = "", team } = await exchange();
  expect(team?.id).toBe(workspace.id);
  expect(await clientFor(access_token).auth.test()).toMatchObject({ team_id: workspace.id });
  await expect(exchange()).rejects.toThrow("invalid_code");
});

test("The fake Slack posts, replaces and deletes through a response URL", async () => {
  const { workspace, alice, channel, client } = await aClient();
  const respondTo = async (url: unknown, body: Record<string, unknown>) =>
    (await fetch(String(url), { method: "POST", body: JSON.stringify(body), headers: JSON_TYPE }))
      .status;
  const JSON_TYPE = { "content-type": "application/json" };
  await client.chat.postEphemeral({ channel, user: alice.id, ...card("private", ["open"]) });
  const [shown] = await workspace.ephemerals(alice.id);
  if (!shown) throw new Error("no message");
  const { delivery } = await alice.click(shown, "open");
  expect(delivery.payload).toMatchObject({ container: { is_ephemeral: true } });
  const { response_url: url } = delivery.payload;
  expect(await respondTo(url, { replace_original: true, text: "replaced" })).toBe(200);
  expect(await workspace.ephemerals(alice.id)).toMatchObject([{ text: "replaced" }]);
  await respondTo(url, { response_type: "in_channel", text: "to all" });
  expect(workspace.history(channel)).toMatchObject([{ text: "to all" }]);
  await respondTo(url, { delete_original: true });
  expect(await workspace.ephemerals(alice.id)).toEqual([]);
  await respondTo(url, { text: "4" });
  await respondTo(url, { text: "5" });
  expect(await respondTo(url, { text: "6" })).toBe(404);
});

test("The fake Slack refuses blocks that the given check refuses", async () => {
  const { client, channel, alice } = await aClient({
    check: (surface, content) =>
      JSON.stringify(content).includes("bad") ? [`${surface} is bad`] : [],
  });
  const post = client.apiCall("chat.postMessage", { channel, ...card("bad", []) });
  await expect(post).rejects.toMatchObject({
    data: { error: "invalid_attachments", response_metadata: { messages: ["message is bad"] } },
  });
  const text = { type: "plain_text" as const, text: "bad" };
  const view = { type: "home" as const, blocks: [{ type: "section" as const, text }] };
  const publish = client.views.publish({ user_id: alice.id, view });
  await expect(publish).rejects.toThrow("invalid_arguments");
});
