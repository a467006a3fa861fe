import { createServer, type IncomingMessage, type Server } from "node:http";
import { isValidSlackRequest } from "@slack/bolt";
import { expect, onTestFinished, test } from "vitest";
import { aFakeSlack, type FakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import type { SlackMode, SlackSecrets } from "../../../app/ports/slack-settings.ts";
import { configSchema } from "../../../contract/config/schema.ts";
import { BOT_SCOPES, OPTIONAL_SCOPES } from "../setup/app-definition.ts";
import { examineSlack } from "./examine-slack.ts";
import type { Finding, SlackSetup } from "./finding.ts";

const ALL_SCOPES = [...BOT_SCOPES, ...OPTIONAL_SCOPES];

type Over = Partial<Omit<SlackSetup, "secrets">> & {
  readonly slack?: unknown;
  readonly mode?: SlackMode;
  readonly secrets?: Partial<SlackSecrets>;
};

function aSetup(fake: FakeSlack, botToken: string | undefined, over: Over = {}): SlackSetup {
  const { slack = {}, mode = "socket", secrets: some, ...rest } = over;
  const secrets = {
    botToken,
    appToken: fake.app.appToken,
    signingSecret: fake.app.signingSecret,
    client: undefined,
    apiUrl: fake.apiUrl,
    ...some,
  };
  return {
    settings: configSchema.parse({ slack }).slack,
    state: { kind: "on", mode, secrets },
    untrusted: null,
    daemonUrl: null,
    installed: [],
    ...rest,
    secrets,
  };
}

async function examine(setup: SlackSetup): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await examineSlack(setup, "en", (finding) => findings.push(finding));
  return findings;
}

const failedOnes = (findings: readonly Finding[]) =>
  findings.filter(({ status }) => status === "failed").map(({ check, code }) => [check, code]);

test("the doctor finds nothing to mend in a complete set-up, and shows no token", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const aoi = acme.person("aoi");
  const people = [
    { user: aoi.id, person: "local" },
    { usergroup: acme.userGroup("leads", [aoi]), role: "operator" },
  ];
  const boards = [{ channel: acme.channel("agents", [aoi]) }];

  const findings = await examine(aSetup(fake, acme.botToken.value, { slack: { people, boards } }));

  expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
    "settings ok",
    "token ok",
    "scopes ok",
    "socket ok",
    "people ok",
    "people ok",
    "boards ok",
  ]);
  const shown = JSON.stringify(findings);
  expect(shown).toContain(`Acme (${acme.id})`);
  expect(shown).not.toMatch(/xoxb-\d|xapp-\d/);
  expect(fake.callsOf("chat.postMessage")).toEqual([]);
});

test.each([
  ["invalid_auth", "Copy it again"],
  ["token_revoked", "Install the app again"],
  ["account_inactive", "was removed from the workspace"],
])("the doctor says what to do about a bot token with the error %s", async (error, advice) => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  fake.faults.add("auth.test", { error });
  const people = [{ user: acme.person("aoi").id, person: "local" }];

  const findings = await examine(aSetup(fake, acme.botToken.value, { slack: { people } }));

  expect(findings[1]).toMatchObject({ check: "token", status: "failed", code: error });
  expect(findings[1]?.advice).toContain(advice);
  expect(findings.at(-1)).toMatchObject({ check: "people", status: "skipped" });
});

test("the doctor names missing scopes; optional ones are only a warning", async () => {
  const fake = await aFakeSlack();
  const some = BOT_SCOPES.filter((scope) => scope !== "usergroups:read" && scope !== "files:read");
  const acme = fake.workspace("Acme", some);
  const people = [{ usergroup: acme.userGroup("leads", []) }];

  const findings = await examine(aSetup(fake, acme.botToken.value, { slack: { people } }));

  expect(findings.filter(({ check }) => check === "scopes")).toMatchObject([
    { status: "failed", found: `${acme.id}: missing: usergroups:read, files:read` },
    { status: "warning", found: `${acme.id}: missing: channels:history, groups:history` },
  ]);
  expect(failedOnes(findings)).toEqual([
    ["scopes", "missing_scope"],
    ["people", "missing_scope"],
  ]);
});

test("the doctor finds people who would be refused", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const gone = acme.person("gone", { deleted: true });
  const guest = acme.person("guest", { isRestricted: true });
  const robot = acme.person("robot", { isBot: true });
  const stranger = acme.person("stranger", { teamId: "T0OTHER" });
  const ids = [gone.id, guest.id, robot.id, stranger.id, "U404"];
  const people = [
    ...ids.map((user) => ({ user, person: "local" })),
    { usergroup: "S404" },
    { user: acme.person("aoi").id, team: "T404", person: "local" },
  ];

  const findings = await examine(aSetup(fake, acme.botToken.value, { slack: { people } }));

  expect(failedOnes(findings)).toEqual([
    ["people", "deleted"],
    ["people", "guest"],
    ["people", "bot"],
    ["people", "stranger"],
    ["people", "user_not_found"],
    ["people", "no_such_subteam"],
    ["people", "other_team"],
  ]);
  const without = findings.filter(({ status, advice }) => status === "failed" && advice === null);
  expect(without).toEqual([]);
});

test("the doctor finds channels of boards in which the app cannot post", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const [archived, left] = [acme.channel("old", []), acme.channel("left", [])];
  acme.archive(archived);
  acme.removeAppFrom(left);
  const boards = [archived, left, "C404"].map((channel) => ({ channel }));

  const findings = await examine(aSetup(fake, acme.botToken.value, { slack: { boards } }));

  expect(failedOnes(findings)).toEqual([
    ["boards", "is_archived"],
    ["boards", "not_in_channel"],
    ["boards", "channel_not_found"],
  ]);
  expect(findings.find(({ code }) => code === "not_in_channel")?.advice).toBe(
    "Run `/invite @kuromajutsu` in #left.",
  );
});

test("the doctor says that Slack is down, once per check, without waiting for retries", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  await fake.goDown();

  const findings = await examine(aSetup(fake, acme.botToken.value));

  expect(failedOnes(findings)).toEqual([
    ["token", "unreachable"],
    ["socket", "unreachable"],
  ]);
  expect(findings[1]?.advice).toContain("https://status.slack.com");
});

test("the doctor tells a server fault from a rate limit", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  fake.faults.add("auth.test", { status: 503 });
  fake.faults.add("apps.connections.open", { rateLimited: 30 });

  const findings = await examine(aSetup(fake, acme.botToken.value));

  expect(failedOnes(findings)).toEqual([
    ["token", "http_503"],
    ["socket", "ratelimited"],
  ]);
});

test("the doctor finds an app-level token that is wrong or of another app", async () => {
  const fake = await aFakeSlack();
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const token = acme.botToken.value;
  const wrong = await examine(aSetup(fake, token, { secrets: { appToken: "xapp-1-wrong" } }));
  expect(failedOnes(wrong)).toEqual([["socket", "invalid_auth"]]);
  expect(wrong.find(({ check }) => check === "socket")?.advice).toContain("connections:write");

  const appToken = "xapp-1-A0OTHER-1-abc";
  const other = await aFakeSlack({ app: { appToken } });
  const umbrella = other.workspace("Umbrella", ALL_SCOPES);
  const findings = await examine(aSetup(other, umbrella.botToken.value));
  expect(failedOnes(findings)).toEqual([["socket", "other_app"]]);
});

/** As Slack's own library checks it. */
const isSigned = (signingSecret: string, { headers }: IncomingMessage, body: string): boolean =>
  isValidSlackRequest({
    signingSecret,
    body,
    headers: {
      "x-slack-signature": String(headers["x-slack-signature"]),
      "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
    },
  });

async function anEndpoint(
  answer: (body: string, signed: boolean) => [number, string],
  secret: string,
) {
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const [status, text] = answer(body, isSigned(secret, request, body));
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

const echo = (body: string, signed: boolean): [number, string] =>
  signed ? [200, JSON.stringify({ challenge: JSON.parse(body).challenge })] : [401, ""];

test("the doctor sends a signed request to the public address in HTTP mode", async () => {
  const fake = await aFakeSlack({ mode: "http" });
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const { signingSecret } = fake.app;
  const check = async (publicUrl: string, secret = signingSecret) => {
    const over = {
      mode: "http",
      slack: { publicUrl },
      secrets: { signingSecret: secret },
    } as const;
    const findings = await examine(aSetup(fake, acme.botToken.value, over));
    return findings.find((finding) => finding.check === "http");
  };
  const url = await anEndpoint(echo, signingSecret);

  expect(await check(url)).toMatchObject({ status: "ok", found: expect.stringContaining(url) });
  const otherSecret = await check(url, "another secret");
  expect(otherSecret).toMatchObject({ status: "failed", code: "status_401" });
  expect(otherSecret?.advice).toContain("SLACK_SIGNING_SECRET");
  const page = await anEndpoint(() => [200, "<html>"], signingSecret);
  expect(await check(page)).toMatchObject({ status: "failed", code: "unexpected_answer" });
  expect(await check("http://127.0.0.1:9")).toMatchObject({ code: "unreachable" });
});

test("the doctor uses the address of the running daemon if there is no public one", async () => {
  const fake = await aFakeSlack({ mode: "http" });
  const acme = fake.workspace("Acme", ALL_SCOPES);
  const daemonUrl = await anEndpoint(echo, fake.app.signingSecret);
  const http = async (url: string | null) =>
    (await examine(aSetup(fake, acme.botToken.value, { mode: "http", daemonUrl: url }))).find(
      ({ check }) => check === "http",
    );

  expect(await http(daemonUrl)).toMatchObject({ status: "ok" });
  expect(await http(null)).toMatchObject({ status: "failed", code: "no_address" });
});

test("the doctor checks every installed workspace, and entries must name theirs", async () => {
  const fake = await aFakeSlack();
  const [acme, umbrella] = [
    fake.workspace("Acme", ALL_SCOPES),
    fake.workspace("Umbrella", ["commands"]),
  ];
  const aoi = acme.person("aoi");
  const of = (workspace: typeof acme) => ({
    team: workspace.id,
    scopes: [...workspace.botToken.scopes],
    token: { value: workspace.botToken.value },
  });
  const client = { id: fake.app.clientId, secret: fake.app.clientSecret };
  const people = [
    { user: aoi.id, person: "local" },
    { user: aoi.id, team: acme.id, person: "local" },
  ];
  const setup = aSetup(fake, undefined, {
    secrets: { client },
    slack: { people, publicUrl: "https://kuro.example.com" },
    installed: [of(acme), of(umbrella), { team: "T3", scopes: ALL_SCOPES, token: "unreadable" }],
  });

  const findings = await examine(setup);

  expect(failedOnes(findings)).toEqual([
    ["scopes", "missing_scope"],
    ["workspaces", "unreadable_token"],
    ["people", "ambiguous_team"],
  ]);
});

test("the doctor says how to begin if the app is installed nowhere", async () => {
  const fake = await aFakeSlack();
  const client = { id: fake.app.clientId, secret: fake.app.clientSecret };

  const findings = await examine(aSetup(fake, undefined, { secrets: { client } }));

  expect(failedOnes(findings)).toEqual([
    ["workspaces", "no_public_url"],
    ["workspaces", "no_workspace"],
  ]);
});

test("the doctor asks Slack nothing while the settings are wrong or Slack is off", async () => {
  const fake = await aFakeSlack();
  const wrong = await examine(
    aSetup(fake, "xoxb-1", {
      state: { kind: "wrong", problems: ["swapped", "client-incomplete"] },
    }),
  );
  const off = await examine(
    aSetup(fake, "xoxb-1", { state: { kind: "off", unused: ["SLACK_BOT_TOKEN"] } }),
  );

  expect(wrong).toMatchObject([
    { code: "swapped", found: expect.stringContaining("are swapped") },
    { code: "client-incomplete" },
  ]);
  expect(off).toMatchObject([{ code: "off", advice: expect.stringContaining("SLACK_APP_TOKEN") }]);
  expect(off[0]?.advice).not.toContain("SLACK_BOT_TOKEN");
  expect(fake.calls).toEqual([]);
});
