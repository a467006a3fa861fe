import { WebClient } from "@slack/web-api";
import { expect, test } from "vitest";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import type { Workspace } from "../../../../test/kit/slack/workspace.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { createSlackApi } from "./create-slack-api.ts";
import { slackFailure } from "./slack-failure.ts";

type Line = readonly [message: string, fields: unknown];

function anApi(apiUrl: string, workspaces: readonly Workspace[], isLeader?: () => boolean) {
  const lines: Line[] = [];
  const note = (message: string, fields?: unknown) => void lines.push([message, fields]);
  const api = createSlackApi({
    accessOf: async (team) => {
      const found = workspaces.find(({ id }) => id === team);
      return found && { token: found.botToken.value, botUser: found.team.botUserId };
    },
    apiUrl,
    clock: { now: () => Date.now() },
    log: { debug: note, info: note, warn: note, error: note },
    isLeader,
  });
  return { api, lines };
}

async function aSlack() {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  const { api, lines } = anApi(slack.apiUrl, [acme]);
  const post = (text = "hello") =>
    api.call({ team: acme.id, method: "chat.postMessage", args: { channel, text } });
  return { slack, acme, channel, api, lines, post };
}

const ask = (team: string, method: string) => ({ team, method, args: { user: "U" } });

async function failureOf(call: Promise<unknown>): Promise<SlackCallFailed> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SlackCallFailed) return error;
  throw new Error(`The call did not fail as expected: ${String(error)}`);
}

test("the API posts with the token of the workspace and answers with Slack's fields", async () => {
  const { acme, channel, post, api } = await aSlack();

  const { ts } = await post("こんにちは 🎉");

  expect(acme.history(channel)).toMatchObject([{ ts, text: "こんにちは 🎉" }]);
  expect(await api.botUserOf(acme.id)).toBe(acme.team.botUserId);
  expect(await api.botUserOf("T404")).toBeUndefined();
});

test("the API sends nothing while another server leads", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("general", []);
  let isLeader = true;
  const { api } = anApi(slack.apiUrl, [acme], () => isLeader);
  const call = { team: acme.id, method: "chat.postMessage", args: { channel, text: "hello" } };
  expect(api.takeTurn(call)).toBe(0);

  // Paused between its turn and the call.
  isLeader = false;

  const failed = await failureOf(api.send(call));
  expect([failed.failure, failed.code]).toEqual(["unreachable", "not_leading"]);
  expect(api.takeTurn(call)).toBeGreaterThan(0);
  expect(acme.history(channel)).toEqual([]);
});

test.each([
  ["refused", { error: "is_archived" }, "is_archived"],
  ["lost", { error: "internal_error" }, "internal_error"],
  ["lost", { status: 500 }, "http_500"],
  ["unreachable", { status: 404 }, "http_404"],
  ["limited", { error: "ratelimited" }, "ratelimited"],
  ["limited", { rateLimited: 2 }, "ratelimited"],
] as const)("the API says that a call was %s: %j", async (failure, fault, code) => {
  const { slack, post } = await aSlack();
  slack.faults.add("chat.postMessage", fault);

  expect(await failureOf(post())).toMatchObject({ failure, code });
  expect(slack.callsOf("chat.postMessage")).toHaveLength(1);
});

test("a call that Slack answers too late is lost: it may have had its effect", async () => {
  const { slack, acme, channel } = await aSlack();
  slack.faults.add("chat.postMessage", { delayMs: 2_000 });
  const options = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, timeout: 50 };
  const client = new WebClient(acme.botToken.value, options);

  const call = client.apiCall("chat.postMessage", { channel, text: "1" });
  const error = await call.catch((each: unknown) => each);

  expect(slackFailure(error)).toMatchObject({ failure: "lost", code: "timeout" });
});

test("the API tells a request that never left from one whose answer was lost", async () => {
  const { slack, acme, channel, post } = await aSlack();
  slack.faults.add("chat.postMessage", { loseAnswer: true });
  expect(await failureOf(post())).toMatchObject({ failure: "lost" });
  expect(acme.history(channel)).toHaveLength(1);

  await slack.goDown();

  expect(await failureOf(post())).toMatchObject({ failure: "unreachable" });
});

test("the API refuses a workspace without the app, and a text with half a character", async () => {
  const { api, post } = await aSlack();

  const call = api.call({ team: "T404", method: "auth.test", args: {} });

  expect(await failureOf(call)).toMatchObject({ failure: "refused", code: "not_installed" });
  expect(await failureOf(post("\ud83d"))).toMatchObject({ failure: "refused" });
});

test("a rate limit pauses one method of one workspace only", async () => {
  const slack = await aFakeSlack();
  const [acme, umbrella] = [slack.workspace("acme"), slack.workspace("umbrella")];
  const { api } = anApi(slack.apiUrl, [acme, umbrella]);
  slack.faults.add("users.info", { rateLimited: 30 });
  expect((await failureOf(api.call(ask(acme.id, "users.info")))).retryAfterMs).toBe(30_000);

  expect(api.takeTurn(ask(acme.id, "users.info"))).toBeGreaterThan(20_000);
  expect(api.takeTurn(ask(umbrella.id, "users.info"))).toBe(0);
  expect(api.takeTurn(ask(acme.id, "auth.test"))).toBe(0);
});

test("the API never mixes the tokens of two workspaces, and logs none of them", async () => {
  const slack = await aFakeSlack();
  const workspaces = [slack.workspace("acme"), slack.workspace("umbrella")];
  const { api, lines } = anApi(slack.apiUrl, workspaces);
  const sent = await Promise.allSettled(
    Array.from({ length: 200 }, (_each, n) => {
      const { id } = workspaces[n % 2] ?? { id: "" };
      const args = { user: `U${id}` };
      return api.send({ team: id, method: n % 3 === 0 ? "users.info" : "auth.test", args });
    }),
  );

  expect(sent).toHaveLength(200);
  const teams = slack
    .callsOf("users.info")
    .map(({ teamId, body }) => `U${teamId}` === body["user"]);
  expect(teams.length).toBeGreaterThan(60);
  expect(teams).not.toContain(false);
  const written = JSON.stringify([lines, sent]);
  for (const { botToken } of workspaces) expect(written).not.toContain(botToken.value);
});

test("the API uses the new token of a workspace at once", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  let token = "xoxb-old";
  const rotating = createSlackApi({
    accessOf: async () => ({ token, botUser: "U" }),
    apiUrl: slack.apiUrl,
    clock: { now: () => Date.now() },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const check = () => rotating.send({ team: acme.id, method: "auth.test", args: {} });
  expect(await failureOf(check())).toMatchObject({ failure: "refused", code: "invalid_auth" });

  token = acme.botToken.value;

  expect(await check()).toMatchObject({ team_id: acme.id });
});

test("an unreadable token is a call that was not sent", async () => {
  const slack = await aFakeSlack();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const broken = createSlackApi({
    accessOf: () => Promise.reject(new Error("xoxb-secret")),
    apiUrl: slack.apiUrl,
    clock: { now: () => Date.now() },
    log,
  });

  const failed = await failureOf(broken.send(ask("T1", "auth.test")));

  expect(failed).toMatchObject({ failure: "unreachable", code: "token_unreadable" });
  expect(failed.message).not.toContain("secret");
  expect(slack.calls).toEqual([]);
});
