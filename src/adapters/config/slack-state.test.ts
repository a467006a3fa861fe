import { describe, expect, test } from "vitest";
import { configSchema } from "../../contract/config/schema.ts";
import { SLACK_PROBLEM_TEXTS, SLACK_PROBLEMS } from "../../contract/slack-problems.ts";
import { LOCALES } from "../../domain/locale.ts";
import { slackStateOf } from "./slack-state.ts";

const BOT = "xoxb-1-2-abc";
const APP = "xapp-1-A1-2-abc";
const SECRET = "0123456789abcdef0123456789abcdef";

const settings = (slack: unknown = {}) => configSchema.parse({ slack }).slack;
const both = (bot: string, app: string) => ({ SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app });
const PEOPLE = { people: [{ user: "U1", person: "local" }] };

describe("slackStateOf is on", () => {
  test.each([
    ["both tokens", {}, { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP }, "socket"],
    [
      "a bot token and a signing secret",
      {},
      { SLACK_BOT_TOKEN: BOT, SLACK_SIGNING_SECRET: SECRET },
      "http",
    ],
    [
      "everything, with the mode http",
      { mode: "http" },
      { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP, SLACK_SIGNING_SECRET: SECRET },
      "http",
    ],
    [
      "a client instead of a bot token",
      {},
      { SLACK_CLIENT_ID: "1.2", SLACK_CLIENT_SECRET: "s", SLACK_APP_TOKEN: APP },
      "socket",
    ],
  ])("with %s", (_what, slack, env, mode) => {
    expect(slackStateOf(settings(slack), env)).toMatchObject({ kind: "on", mode });
  });

  test("and removes line breaks of copied values and completes the address", () => {
    const env = {
      SLACK_BOT_TOKEN: ` ${BOT}\n`,
      SLACK_APP_TOKEN: APP,
      SLACK_API_URL: "http://127.0.0.1:9/api",
    };
    expect(slackStateOf(settings(), env)).toMatchObject({
      secrets: { botToken: BOT, apiUrl: "http://127.0.0.1:9/api/" },
    });
  });
});

describe("slackStateOf is off", () => {
  test.each([
    ["nothing is set", {}, {}, []],
    ["variables are empty", PEOPLE, { SLACK_BOT_TOKEN: "", SLACK_APP_TOKEN: " " }, []],
    ["only the configuration mentions Slack", { ...PEOPLE, mode: "socket" }, {}, []],
    [
      "only the bot token of another program is set",
      {},
      { SLACK_BOT_TOKEN: "xoxp-1" },
      ["SLACK_BOT_TOKEN"],
    ],
  ])("if %s", (_when, slack, env, unused) => {
    expect(slackStateOf(settings(slack), env)).toEqual({ kind: "off", unused });
  });
});

describe("slackStateOf finds", () => {
  test.each([
    ["no-app-token", { mode: "socket" }, { SLACK_BOT_TOKEN: BOT }],
    ["no-signing-secret", { mode: "http" }, both(BOT, APP)],
    ["no-way-in", PEOPLE, { SLACK_BOT_TOKEN: BOT }],
    ["no-bot-token", PEOPLE, { SLACK_APP_TOKEN: APP }],
    ["swapped", {}, both(APP, BOT)],
    ["app-token-as-bot-token", {}, both(APP, APP)],
    ["user-token-as-bot-token", {}, both("xoxp-1", APP)],
    ["rotating-bot-token", {}, both("xoxe.xoxb-1", APP)],
    ["not-a-bot-token", {}, both("hello", APP)],
    ["bot-token-as-app-token", {}, both(BOT, BOT)],
    ["not-an-app-token", {}, both(BOT, "hello")],
    ["token-as-signing-secret", {}, { SLACK_BOT_TOKEN: BOT, SLACK_SIGNING_SECRET: BOT }],
    ["client-incomplete", {}, { SLACK_CLIENT_ID: "1.2", SLACK_APP_TOKEN: APP }],
    ["wrong-api-url", {}, { ...both(BOT, APP), SLACK_API_URL: "http://slack.example/api/" }],
  ])("%s", (problem, slack, env) => {
    expect(slackStateOf(settings(slack), env)).toEqual({ kind: "wrong", problems: [problem] });
  });
});

test("every problem has a text in both languages, without the shape of a whole token", () => {
  for (const locale of LOCALES) {
    for (const problem of SLACK_PROBLEMS) {
      expect(SLACK_PROBLEM_TEXTS[locale][problem]).toMatch(/SLACK_[A-Z_]+/);
    }
  }
});
