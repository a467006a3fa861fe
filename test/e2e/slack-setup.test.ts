import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { BOT_SCOPES, OPTIONAL_SCOPES } from "../../src/doors/slack/setup/app-definition.ts";
import { aDaemon, aPlace, command, type Place } from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";
import { aFakeSlack, type FakeSlack } from "../kit/slack/fake-slack.ts";

const ALL_SCOPES = [...BOT_SCOPES, ...OPTIONAL_SCOPES];
const BOT = "xoxb-1111111111-2222222222-abcdefabcdef";
const APP = "xapp-1-A0123-3333333333-abcdefabcdef";

function aPlaceWith(config: string, env: Record<string, string> = {}): Place {
  const place = aPlace(env);
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), config);
  return place;
}

const envOf = (slack: FakeSlack, botToken: string) => ({
  SLACK_BOT_TOKEN: botToken,
  SLACK_APP_TOKEN: slack.app.appToken,
  SLACK_API_URL: slack.apiUrl,
});

test("slack manifest prints the same manifest as JSON and as YAML, and the next steps beside it", async () => {
  const place = aPlaceWith("locale: en\n");
  const json = await command(place, ["slack", "manifest"]);
  const yaml = await command(place, ["slack", "manifest", "--format", "yaml"]);
  const args = ["--http", "https://kuro.example.com", "--name", "黒魔術", "--lang", "ja"];
  const http = await command(place, ["slack", "manifest", ...args]);

  expect([json.code, yaml.code, http.code]).toEqual([0, 0, 0]);
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  expect(json.stderr).toMatch(/SLACK_APP_TOKEN[\s\S]*SLACK_BOT_TOKEN[\s\S]*slack doctor/);
  expect(JSON.parse(http.stdout)).toMatchObject({
    display_information: { name: "黒魔術" },
    settings: { socket_mode_enabled: false },
  });
  expect(http.stderr).toMatch(
    /SLACK_SIGNING_SECRET[\s\S]*貼り付けます|貼り付けます[\s\S]*SLACK_SIGNING_SECRET/,
  );
  const wrong = await command(place, ["slack", "manifest", "--http", "http://kuro.example.com"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync(place.dataDir), "a daemon was started").toBe(false);
});

test.each([
  ["SLACK_APP_TOKEN is not set", "slack: { mode: socket }", { SLACK_BOT_TOKEN: BOT }],
  [
    "SLACK_SIGNING_SECRET is not set",
    "slack: { mode: http }",
    { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP },
  ],
  ["are swapped", "", { SLACK_BOT_TOKEN: APP, SLACK_APP_TOKEN: BOT }],
  ["SLACK_APP_TOKEN has a bot token", "", { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: BOT }],
])("no daemon starts, and it says: %s", async (problem, config, env) => {
  const { code, stdout, stderr } = await command(
    aPlaceWith(`${config}\n`, { LANG: "en_US.UTF-8", ...env }),
    ["serve"],
  );

  expect(code).toBe(1);
  expect(stderr).toContain(problem);
  for (const token of [BOT, APP]) expect(stdout + stderr).not.toContain(token);
});

test("a lone SLACK_BOT_TOKEN is mentioned in the log and switches nothing on", async () => {
  const place = aPlaceWith("", { SLACK_BOT_TOKEN: BOT });
  await aDaemon(place);

  expect(place.log()).toContain("Slack is off: SLACK_BOT_TOKEN alone is not enough.");
  expect(place.log()).not.toContain(BOT);
});

test("a reload to a mode whose secret is missing changes nothing", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("Acme", ALL_SCOPES);
  const place = aPlaceWith("locale: en\n", envOf(slack, acme.botToken.value));
  await aDaemon(place);
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), "slack: { mode: http }\n");

  const { code, stderr } = await command(place, ["reload"]);

  expect(code).toBe(1);
  expect(stderr).toContain("SLACK_SIGNING_SECRET is not set");
});

test.each([
  ["en", "Slack works.", "Install the app again", "is archived"],
  ["ja", "Slack を使えます。", "もう一度インストールし", "アーカイブされています"],
])(
  "slack doctor speaks %s, ends with 1 if something is to mend, and shows no token",
  async (locale, well, revoked, archived) => {
    const slack = await aFakeSlack({ retryDelaysMs: [] });
    const acme = slack.workspace("Acme", ALL_SCOPES);
    const aoi = acme.person("aoi");
    const channel = acme.channel("agents", [aoi]);
    const config = `locale: ${locale}
slack:
  people: [{ user: ${aoi.id}, person: local }]
  boards: [{ channel: ${channel} }]
`;
    const env = envOf(slack, acme.botToken.value);
    const place = aPlaceWith(config, env);

    const first = await command(place, ["slack", "doctor"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`Acme`);
    expect(first.stdout).toContain(well);

    acme.archive(channel);
    const second = await command(place, ["slack", "doctor"]);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain(archived);

    await acme.revokeTokens();
    const third = await command(place, ["slack", "doctor"]);
    expect(third.code).toBe(1);
    expect(third.stdout).toContain(revoked);

    await slack.goDown();
    const fourth = await command(place, ["slack", "doctor", "--json"]);
    expect(fourth.code).toBe(1);
    expect(JSON.parse(fourth.stdout)).toMatchObject({
      ok: false,
      mode: "socket",
      checks: expect.arrayContaining([
        expect.objectContaining({ check: "token", status: "failed", code: "unreachable" }),
      ]),
    });
    const said = [first, second, third, fourth].map(({ stdout, stderr }) => stdout + stderr).join();
    for (const token of [acme.botToken.value, slack.app.appToken, slack.app.signingSecret]) {
      expect(said).not.toContain(token);
    }
    expect(existsSync(place.dataDir), "a daemon was started").toBe(false);
  },
);

test("slack doctor gets an answer from a daemon in HTTP mode, if the signing secrets are equal", async () => {
  const slack = await aFakeSlack({ mode: "http" });
  const acme = slack.workspace("Acme", ALL_SCOPES);
  const port = await aFreePort();
  const config = `locale: en
slack: { mode: http, publicUrl: "http://127.0.0.1:${port}", people: [{ user: ${acme.person("aoi").id}, person: local }] }
`;
  const place = aPlaceWith(config, {
    KUROMAJUTSU_PORT: String(port),
    SLACK_BOT_TOKEN: acme.botToken.value,
    SLACK_SIGNING_SECRET: slack.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
  });
  const http = async (secret = slack.app.signingSecret) => {
    const env = { ...place.env, SLACK_SIGNING_SECRET: secret };
    const { stdout } = await command({ ...place, env }, ["slack", "doctor", "--json"]);
    return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === "http");
  };
  expect(await http()).toMatchObject({ status: "failed", code: "unreachable" });
  await aDaemon(place);

  expect(await http()).toMatchObject({ status: "ok" });
  expect(await http("0123456789abcdef0123456789abcdef")).toMatchObject({
    status: "failed",
    code: "status_401",
  });
});

/** What a browser does: keeps the cookie, and goes to Slack and back. */
async function installWith(
  slack: FakeSlack,
  link: string,
  workspace: ReturnType<FakeSlack["workspace"]>,
) {
  const begun = await fetch(link, { redirect: "manual" });
  const cookie = (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const person = workspace.person("admin");
  const back = slack.agreeToInstall(workspace, person, begun.headers.get("location") ?? "");
  return fetch(back, { headers: { cookie }, redirect: "manual" });
}

async function aPlaceForMany(slack: FakeSlack): Promise<Place> {
  const port = await aFreePort();
  const config = `locale: en
slack: { publicUrl: "http://127.0.0.1:${port}" }
`;
  return aPlaceWith(config, {
    KUROMAJUTSU_PORT: String(port),
    SLACK_CLIENT_ID: slack.app.clientId,
    SLACK_CLIENT_SECRET: slack.app.clientSecret,
    SLACK_APP_TOKEN: slack.app.appToken,
    SLACK_API_URL: slack.apiUrl,
  });
}

/** Every file of the data directory as text. */
function filesOf(dataDir: string): string {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test("an admin's link installs the app in a workspace, commands list and remove it, and its token is nowhere in clear", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("Acme", ALL_SCOPES);
  const place = await aPlaceForMany(slack);
  const daemon = await aDaemon(place);
  const outputs: string[] = [];
  const run = async (...args: readonly string[]) => {
    const result = await command(place, ["slack", ...args]);
    outputs.push(result.stdout, result.stderr);
    return result;
  };
  const link = await run("install-link");
  expect(link).toMatchObject({ code: 0, stderr: expect.stringContaining("once, within an hour") });

  const installed = await installWith(slack, link.stdout.trim(), acme);

  expect(installed.status).toBe(200);
  const token = String(slack.callsOf("oauth.v2.access")[0]?.answer?.["access_token"]);
  expect(token).toMatch(/^xoxb-/);
  expect(JSON.parse((await run("workspaces", "--json")).stdout)).toMatchObject([
    { team: acme.id, botUser: acme.team.botUserId },
  ]);
  expect((await run("workspaces")).stdout).toContain(acme.id);
  // Only the daemon can read the token while it runs.
  const running = await run("doctor");
  expect(running).toMatchObject({ code: 0 });
  expect(running.stdout).toContain("kuromajutsu stop");
  await daemon.kill("SIGTERM");

  const stopped = await run("doctor");
  expect(stopped).toMatchObject({ code: 0 });
  expect(stopped.stdout).toContain(`Acme (${acme.id})`);
  expect(JSON.parse((await run("workspaces", "--json")).stdout)).toHaveLength(1);
  expect(statSync(join(place.dataDir, "slack.key")).mode & 0o777).toBe(0o600);
  expect(await run("remove", acme.id)).toMatchObject({ code: 0 });
  expect(await run("remove", acme.id)).toMatchObject({ code: 1 });
  expect(await run("workspaces")).toMatchObject({ code: 0, stdout: "" });
  const clear = [...outputs, place.log(), filesOf(place.dataDir)].join("\n");
  for (const secret of [token, slack.app.clientSecret, slack.app.appToken]) {
    expect(clear).not.toContain(secret);
  }
});

test("with another key no daemon starts, until the workspace is removed", async () => {
  const slack = await aFakeSlack();
  const acme = slack.workspace("Acme", ALL_SCOPES);
  const place = await aPlaceForMany(slack);
  const daemon = await aDaemon(place);
  const link = await command(place, ["slack", "install-link"]);
  await installWith(slack, link.stdout.trim(), acme);
  await daemon.kill("SIGKILL");
  rmSync(join(place.dataDir, "slack.key"));

  const refused = await command(place, ["serve"]);

  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`workspaces ${acme.id} cannot be decrypted with the key`);
  const examined = await command(place, ["slack", "doctor"]);
  expect(examined.code).toBe(1);
  expect(examined.stdout).toContain("the stored token cannot be decrypted");
  expect(await command(place, ["slack", "remove", acme.id])).toMatchObject({ code: 0 });
  await aDaemon(place);
});

test("only an admin makes links and removes workspaces where people sign in", async () => {
  const slack = await aFakeSlack();
  const place = await aPlaceForMany(slack);
  const add = async (id: string, role: string) =>
    (await command(place, ["user", "add", id, "--role", role])).stdout.trim();
  const [admin, operator] = [await add("ada", "admin"), await add("otto", "operator")];
  await aDaemon(place);
  const as = (token: string, ...args: readonly string[]) =>
    command({ ...place, env: { ...place.env, KUROMAJUTSU_TOKEN: token } }, ["slack", ...args]);

  const refused = await as(operator, "install-link");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("this needs admin");
  expect(await as(operator, "remove", "T1")).toMatchObject({ code: 1 });
  expect(await as(admin, "install-link")).toMatchObject({ code: 0 });
});

test("install-link says what is missing if the app is not installed by links", async () => {
  const place = aPlaceWith("locale: en\n");
  const none = await command(place, ["slack", "install-link"]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("kuromajutsu serve") });
  await aDaemon(place);

  const off = await command(place, ["slack", "install-link"]);

  expect(off.code).toBe(1);
  expect(off.stderr).toContain("SLACK_CLIENT_ID");
  const { url } = JSON.parse(readFileSync(join(place.dataDir, "daemon.json"), "utf8"));
  expect((await fetch(`${url}/slack/oauth_redirect`)).status).toBe(404);
});

const DOCUMENTS = ["docs/slack.md", "docs/slack.ja.md"] as const;

/** The commands in a document, without the program's name, and its other names in code. */
function shownIn(document: string) {
  const text = readFileSync(document, "utf8");
  const commands = [...text.matchAll(/`kuromajutsu ([^`]+)`/g)].map(([, words = ""]) => words);
  const names = [...text.matchAll(/`(--[a-z]+|\/kuro \w+|slack\.\w+)[^`]*`|SLACK_[A-Z_]+/g)];
  return { commands: new Set(commands), names: new Set(names.map(([name]) => name)) };
}

test("the documents about Slack show the same commands and settings in both languages", () => {
  const [english, japanese] = DOCUMENTS.map(shownIn);

  expect(japanese?.commands).toEqual(english?.commands);
  expect([...(japanese?.names ?? [])].filter((name) => !name.startsWith("`/kuro")).sort()).toEqual(
    [...(english?.names ?? [])].filter((name) => !name.startsWith("`/kuro")).sort(),
  );
});

test("every command in the documents about Slack exists and runs", async () => {
  const slack = await aFakeSlack();
  const place = await aPlaceForMany(slack);
  const daemon = await aDaemon(place);
  const { commands } = shownIn(DOCUMENTS[0]);
  expect(commands.size).toBeGreaterThan(8);
  const others = [...commands].filter((words) => !["serve", "stop"].includes(words));

  const unknown: string[] = [];
  for (const words of others) {
    const { stderr } = await command(place, words.split(" "));
    if (stderr.includes("to see how it is used")) unknown.push(stderr);
  }

  expect(unknown).toEqual([]);
  expect(await command(place, ["stop"])).toMatchObject({ code: 0 });
  await daemon.kill("SIGTERM");
});
