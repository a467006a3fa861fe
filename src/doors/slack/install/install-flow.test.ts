import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { aCore } from "../../../../test/kit/core.ts";
import { aFakeSlack, type FakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import type { Workspace } from "../../../../test/kit/slack/workspace.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { openSlackKey } from "../../../adapters/slack-key.ts";
import { LOCAL_USER } from "../../../app/core.ts";
import { createInstallLink } from "../../../app/people/slack-workspaces.ts";
import { serveInstall } from "./install-routes.ts";
import { createInstallations, WrongSlackKey } from "./installations.ts";
import { createWorkspaceAccess } from "./workspace-access.ts";

const locale = () => "en" as const;
const PUBLIC = "https://kuro.example.com";

async function aDoor(over: { readonly env?: Record<string, string> } = {}) {
  const slack = await aFakeSlack();
  const core = await aCore({ settings: { slackInstallUrl: `${PUBLIC}/slack/install` } });
  const dataDir = aTempDir();
  const key = openSlackKey(dataDir, over.env ?? {});
  const installations = createInstallations({ core, key });
  const app = new Hono();
  const client = { id: slack.app.clientId, secret: slack.app.clientSecret };
  const { apiUrl } = slack;
  serveInstall(app, { core, installations, client, apiUrl, publicUrl: PUBLIC, locale });
  const get = (url: string, cookie = "") =>
    app.request(url.replace(PUBLIC, ""), { headers: { cookie } });
  const link = async () => (await createInstallLink(core, LOCAL_USER)).url;
  return { slack, core, dataDir, key, installations, get, link };
}

type Door = Awaited<ReturnType<typeof aDoor>>;

/** Opens the link, and agrees on Slack's page. Returns the address that the browser is sent to. */
async function agree(door: Door, workspace: Workspace, link: string) {
  const begun = await door.get(link);
  expect(begun.status).toBe(302);
  const cookie = (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const person = workspace.person("admin", { isAdmin: true });
  const back = door.slack.agreeToInstall(workspace, person, begun.headers.get("location") ?? "");
  return { begun, cookie, back, person };
}

async function install(door: Door, workspace: Workspace): Promise<string> {
  const { cookie, back } = await agree(door, workspace, await door.link());
  return (await door.get(back, cookie)).text();
}

const tokensOf = (slack: FakeSlack) =>
  slack.callsOf("oauth.v2.access").map(({ answer }) => String(answer?.["access_token"]));

test("a person with a link installs the app, and the token is only stored encrypted", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  const { begun, cookie, back, person } = await agree(door, acme, await door.link());
  expect(begun.headers.get("set-cookie")).toMatch(/HttpOnly; Secure; SameSite=Lax/);

  const page = await door.get(back, cookie);

  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await page.text()).toContain(`“Acme” (${acme.id})`);
  const [token = ""] = tokensOf(door.slack);
  expect(token).toMatch(/^xoxb-/);
  expect(await door.installations.tokenFor(acme.id)).toBe(token);
  const rows = await door.core.store.listSlackInstallations();
  expect(rows).toMatchObject([
    { team: acme.id, botUser: acme.team.botUserId, installedBy: person.id },
  ]);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(statSync(door.key.path).mode & 0o777).toBe(0o600);
  const { entries } = await door.core.store.listAudit({ limit: 10 });
  expect(entries).toMatchObject([
    { action: "slack.installed", actor: "local", subject: acme.id },
    { action: "slack.link_created", actor: "local" },
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("a link installs the app once; opening it does not use it up", async () => {
  const door = await aDoor();
  const [acme, umbrella] = [door.slack.workspace("Acme"), door.slack.workspace("Umbrella")];
  const link = await door.link();
  expect((await door.get(link)).status).toBe(302);
  const [first, second] = [await agree(door, acme, link), await agree(door, umbrella, link)];
  expect((await door.get(first.back, first.cookie)).status).toBe(200);

  expect((await door.get(second.back, second.cookie)).status).toBe(403);
  const again = await door.get(link);
  expect(again.status).toBe(403);
  expect(await again.text()).toContain("kuromajutsu slack install-link");
  expect((await door.get(`${PUBLIC}/slack/install`)).status).toBe(403);
  expect(await door.installations.tokenFor(umbrella.id)).toBeUndefined();
});

test("a link is refused after an hour, and a state after ten minutes", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  const [link, other] = [await door.link(), await door.link()];
  const { back, cookie } = await agree(door, acme, link);
  door.core.advance(10 * 60_000);
  expect((await door.get(back, cookie)).status).toBe(403);

  door.core.advance(50 * 60_000);

  for (const old of [link, other]) expect((await door.get(old)).status).toBe(403);
});

test("another browser, a repeated state and a made-up state are refused", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  const stolen = await agree(door, acme, await door.link());
  const elsewhere = await door.get(stolen.back, "kuromajutsu-slack-install=other");
  expect(elsewhere.status).toBe(403);
  expect(await elsewhere.text()).toContain("not the browser");
  // The state was used up by the wrong browser.
  expect((await door.get(stolen.back, stolen.cookie)).status).toBe(403);

  const { back, cookie } = await agree(door, acme, await door.link());
  const forged = new URL(back);
  forged.searchParams.set("state", "forged");
  expect((await door.get(forged.href, cookie)).status).toBe(403);
  expect((await door.get(back, cookie)).status).toBe(200);
  expect((await door.get(back, cookie)).status).toBe(403);
  expect(tokensOf(door.slack)).toHaveLength(1);
});

test("after a refusal of Slack or of the person, the same link works again", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  const link = await door.link();
  const denied = await agree(door, acme, link);
  const { searchParams } = new URL(denied.back);
  const state = searchParams.get("state") ?? "";
  const page = await door.get(
    `/slack/oauth_redirect?error=access_denied&state=${state}`,
    denied.cookie,
  );
  expect(await page.text()).toContain("not allowed on Slack");

  door.slack.faults.add("oauth.v2.access", { error: "invalid_code" });
  const refused = await agree(door, acme, link);
  expect(await (await door.get(refused.back, refused.cookie)).text()).toContain("invalid_code");
  await door.slack.goDown();
  const down = await agree(door, acme, link);
  expect(await (await door.get(down.back, down.cookie)).text()).toContain("unreachable");
  await door.slack.comeBack();

  const { back, cookie } = await agree(door, acme, link);
  expect((await door.get(back, cookie)).status).toBe(200);
});

test("tokens that expire and organization-wide installations are refused", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  const answer = { access_token: "xoxe.xoxb-1", bot_user_id: "U1", team: { id: acme.id } };
  const faulty = async (over: Record<string, unknown>) => {
    const extra = { ok: true, error: undefined, ...answer, ...over };
    door.slack.faults.add("oauth.v2.access", { error: "none", extra });
    return install(door, acme);
  };

  expect(await faulty({ refresh_token: "xoxe-1" })).toContain("Token rotation");
  expect(await faulty({ is_enterprise_install: true })).toContain("whole organization");
  expect(await faulty({ bot_user_id: undefined })).toContain("unreadable_answer");
  expect(await door.core.store.listSlackInstallations()).toEqual([]);
});

test("with another key, tokens are refused with a sentence that says what to do", async () => {
  const door = await aDoor();
  const [acme, umbrella] = [door.slack.workspace("Acme"), door.slack.workspace("Umbrella")];
  await install(door, acme);
  const oldKey = readFileSync(door.key.path, "utf8");
  writeFileSync(door.key.path, "another key of more than 32 characters\n");

  await expect(door.installations.tokenFor(acme.id)).rejects.toThrow(WrongSlackKey);
  await expect(door.installations.check()).rejects.toThrow(
    `The tokens of the Slack workspaces ${acme.id} cannot be decrypted with the key ${door.key.path}. Put the old key back;`,
  );
  expect(await install(door, umbrella)).toContain("does not fit the stored ones");

  // A missing key is not replaced while tokens depend on it.
  rmSync(door.key.path);
  expect(await install(door, umbrella)).toContain("does not fit the stored ones");

  writeFileSync(door.key.path, oldKey);
  await door.installations.check();
  expect(await install(door, umbrella)).toContain("Umbrella");
});

test("a sealed token moved to another workspace cannot be opened", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  await install(door, acme);
  const row = await door.core.store.getSlackInstallation(acme.id);
  if (!row) throw new Error("not installed");
  await door.core.store.transaction((unit) => unit.putSlackInstallation({ ...row, team: "T2" }));

  await expect(door.installations.tokenFor("T2")).rejects.toThrow(WrongSlackKey);
});

test("a key file that a person has named must exist and be long enough", async () => {
  const named = join(aTempDir(), "key");
  const key = openSlackKey(aTempDir(), { KUROMAJUTSU_SLACK_KEY_FILE: named });
  expect(() => key.create()).toThrow(`openssl rand -hex 32 > ${named}`);
  writeFileSync(named, "short");
  expect(() => key.read()).toThrow("too short");
});

test("removing a workspace deletes its token, and is in the audit", async () => {
  const door = await aDoor();
  const acme = door.slack.workspace("Acme");
  await install(door, acme);

  expect(await door.installations.remove(acme.id, "slack")).toBe(true);

  expect(await door.installations.accessOf(acme.id)).toBeUndefined();
  expect(await door.installations.remove(acme.id, "slack")).toBe(false);
  const { entries } = await door.core.store.listAudit({ limit: 1 });
  expect(entries).toMatchObject([{ action: "slack.removed", actor: "slack", subject: acme.id }]);
});

test("SLACK_BOT_TOKEN is used for its own workspace only, as soon as Slack answers", async () => {
  const door = await aDoor();
  const [own, other] = [door.slack.workspace("Own"), door.slack.workspace("Other")];
  await install(door, other);
  const { apiUrl } = door.slack;
  const { installations } = door;
  const access = createWorkspaceAccess({ botToken: own.botToken.value, apiUrl, installations });
  await door.slack.goDown();
  await expect(access.accessOf(other.id)).rejects.toMatchObject({ failure: "unreachable" });
  await door.slack.comeBack();

  const { value } = own.botToken;
  expect(await access.accessOf(own.id)).toMatchObject({
    token: value,
    botUser: own.team.botUserId,
  });
  expect((await access.accessOf(other.id))?.token).toBe(await installations.tokenFor(other.id));
  expect((await access.accessOf(other.id))?.token).not.toBe(value);
  expect(await access.accessOf("T404")).toBeUndefined();
  expect(door.slack.callsOf("auth.test")).toHaveLength(1);
});
