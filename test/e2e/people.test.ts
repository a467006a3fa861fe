import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  command,
  until,
  type Place,
} from "../kit/daemon.ts";
import { sharedByTests } from "../kit/when-done.ts";

const record = z.record(z.string(), z.unknown());
const approvals = z.object({
  approvals: z.array(z.object({ approvalId: z.string(), version: z.number(), kind: z.string() })),
});

async function call(url: string, method: string, path: string, headers = {}, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: {
      "x-kuromajutsu": "1",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answered = record.parse(await response.json());
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return {
    status: response.status,
    /** After POST /api/login. */
    session: { cookie, "x-kuromajutsu-session": String(answered["sessionKey"]) },
    body: answered,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** `user add`, and the token it printed. */
async function add(place: Place, id: string, ...more: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await command(place, ["user", "add", id, ...more]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

test("people who are added while the daemon runs can sign in and decide, and the audit verifies", async () => {
  const place = aPlace();
  const { url } = await aDaemon(place);
  expect((await call(url, "GET", "/api/me")).body).toMatchObject({ id: "local", signIn: false });

  const token = await add(place, "aoi", "--name", "葵", "--role", "admin");
  const other = await add(place, "ben");

  expect(token).toMatch(/^kmj_[\w-]{43}$/);
  const config = readFileSync(join(place.dataDir, "kuromajutsu.config.yaml"), "utf8");
  expect(config).toContain("name: 葵");
  expect(config).not.toContain(token.slice(4));
  expect((await call(url, "GET", "/api/me")).status).toBe(401);
  const login = await call(url, "POST", "/api/login", {}, { token });
  expect(login.body).toMatchObject({ id: "aoi", name: "葵", role: "admin" });
  const { session } = login;
  expect((await call(url, "GET", "/api/me", session)).body).toMatchObject({ id: "aoi" });
  expect((await call(url, "GET", "/api/me", { cookie: session.cookie })).status).toBe(401);

  const task = await call(url, "POST", "/api/tasks", session, { text: "挨拶文を書いて" });
  expect(task).toMatchObject({ status: 201, body: { requester: "aoi" } });
  const pending = async () => {
    const { body } = await call(url, "GET", "/api/approvals?status=pending", session);
    return approvals.parse(body).approvals;
  };
  await until(async () => (await pending()).length > 0);
  const [approval] = await pending();
  const path = `/api/approvals/${approval?.approvalId}/decision`;
  const said = { decision: "approve", version: approval?.version };
  const decided = await call(url, "POST", path, bearer(other), said);
  expect(decided).toMatchObject({ status: 200, body: { status: "approved", decidedBy: "ben" } });
  const late = await call(url, "POST", path, session, said);
  expect(late).toMatchObject({ status: 409, body: { code: "APPROVAL_ALREADY_DECIDED" } });
  expect(late.body["detail"]).toMatch(/ben が .* に承認しました/);

  const withToken = { ...place, env: { ...place.env, KUROMAJUTSU_TOKEN: token } };
  expect((await command(place, ["audit", "verify"])).code).toBe(1);
  const verified = await command(withToken, ["audit", "verify"]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("監査の記録に問題はありません"),
  });
  expect((await command(place, ["user", "list"])).stdout).toMatch(
    /aoi\s+admin\s+葵\nben\s+operator/,
  );
});

test("`user add` says that no person can decide while there are only viewers", async () => {
  const place = aPlace();
  const hint = "user add <id> --role operator";
  expect((await command(place, ["user", "add", "aoi", "--role", "viewer"])).stderr).toContain(hint);
  expect((await command(place, ["user", "add", "ben"])).stderr).not.toContain(hint);
  expect((await command(place, ["user", "add", "cho", "--role", "viewer"])).stderr).not.toContain(
    hint,
  );
});

/** For tests that only use the token of its one person. */
const withAoi = sharedByTests(async () => {
  const place = aPlace();
  const token = await add(place, "aoi");
  return { place, token, url: (await aDaemon(place)).url };
});

test("an MCP client decides for the person whose token it has, and cannot decide without one", async () => {
  const { place, token, url } = await withAoi();
  const names = async (env: Record<string, string>) => {
    const { client } = await aStdioClient({ ...place, env: { ...place.env, ...env } });
    return (await client.listTools()).tools.map(({ name }) => name);
  };

  expect(await names({ KUROMAJUTSU_TOKEN: token })).toContain("decide_approval");
  expect(await names({})).not.toContain("decide_approval");
  expect(await names({ KUROMAJUTSU_TOKEN: "${env:KUROMAJUTSU_TOKEN}" })).not.toContain(
    "decide_approval",
  );
  await expect(anHttpClient(url)).rejects.toThrow(/401|NOT_SIGNED_IN|Unauthorized/);
  const { client } = await anHttpClient(url, { token });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("decide_approval");
});

test("with sign-in a client on the socket without a token can read but not request work", async () => {
  const { place, token } = await withAoi();
  const nameless = await aStdioClient(place);
  const named = await aStdioClient({ ...place, env: { ...place.env, KUROMAJUTSU_TOKEN: token } });

  for (const [tool, args] of [
    ["create_task", { request: "挨拶文を書いて" }],
    ["create_group", { description: "調査" }],
  ] as const) {
    expect(await nameless.call(tool, args)).toMatchObject({
      code: "PERSON_NEEDED",
      hint: expect.stringContaining("KUROMAJUTSU_TOKEN"),
    });
    expect(await named.call(tool, args)).not.toHaveProperty("code");
  }
  expect(await nameless.call("list_agents", {})).not.toHaveProperty("code");
});

test("a new token and the removal of a person apply at once in the running daemon", async () => {
  const place = aPlace();
  const [first, ben] = [await add(place, "aoi"), await add(place, "ben")];
  const { url } = await aDaemon(place);
  const { session } = await call(url, "POST", "/api/login", {}, { token: first });
  const me = async (headers: Record<string, string>) =>
    (await call(url, "GET", "/api/me", headers)).status;
  expect([await me(session), await me(bearer(first)), await me(bearer(ben))]).toEqual([
    200, 200, 200,
  ]);

  const renewed = await command(place, ["user", "token", "aoi"]);
  expect(renewed.stderr).toContain("動いているデーモンに反映しました。");
  const second = renewed.stdout.trim();
  expect([await me(session), await me(bearer(first)), await me(bearer(second))]).toEqual([
    401, 401, 200,
  ]);

  expect((await command(place, ["user", "remove", "ben"])).code).toBe(0);
  expect(await me(bearer(ben))).toBe(401);
});

test("the daemon refuses a policy that needs two people until both are in the file", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, "# ours\ntasks:\n  approval: not-requester # 四つの目\n");

  const refused = await command(place, ["serve"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`${config}:3`);
  expect(refused.stderr).toContain("kuromajutsu user add");

  const first = await command(place, ["user", "add", "aoi"]);
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("まだ必要なことがあります"),
  });
  await add(place, "ben");
  await aDaemon(place);
  const removal = await command(place, ["user", "remove", "ben"]);
  expect(removal).toMatchObject({ code: 1, stderr: expect.stringContaining("not-requester") });
  expect(readFileSync(config, "utf8")).toContain("approval: not-requester # 四つの目\n");
});

test("a non-loopback address needs sign-in, and then the daemon answers to that address", async () => {
  const open = aPlace({ KUROMAJUTSU_BIND: "0.0.0.0" });
  const refused = await command(open, ["serve"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("user add") });

  const place = aPlace({ KUROMAJUTSU_BIND: "127.0.0.2", KUROMAJUTSU_BEHIND_LOOPBACK: "0" });
  const token = await add(place, "aoi");
  const { url } = await aDaemon(place);
  expect(url).toContain("127.0.0.2");
  expect((await call(url, "GET", "/api/me", bearer(token))).status).toBe(200);
});

test("audit verify works without a daemon and finds a changed entry", async () => {
  const place = aPlace();
  expect((await command(place, ["audit", "verify"])).stdout).toContain(
    "監査の記録はまだありません。",
  );
  await add(place, "aoi");
  const daemon = await aDaemon(place);
  await call(daemon.url, "POST", "/api/login", {}, { token: "kmj_wrong" });
  await daemon.kill("SIGTERM");
  expect(await command(place, ["audit", "verify"])).toMatchObject({ code: 0 });

  const db = new DatabaseSync(join(place.dataDir, "kuromajutsu.db"));
  db.exec("drop trigger audit_is_not_changed; update audit set actor = 'ben' where seq = 1");
  db.close();

  const broken = await command(place, ["audit", "verify", "--json"]);
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({ ok: false, firstBroken: { seq: 1 } });
});

test("audit verify finds a truncated audit by its head, until a person accepts it with anchor", async () => {
  const place = aPlace();
  await add(place, "aoi");
  const daemon = await aDaemon(place);
  for (let n = 0; n < 3; n++) {
    await call(daemon.url, "POST", "/api/login", {}, { token: `kmj_wrong-${n}` });
  }
  expect((await command(place, ["audit", "anchor"])).stderr).toContain("stop` で終了してから");
  await daemon.kill("SIGTERM");
  const whole = await command(place, ["audit", "verify"]);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining("封印された控えと") });

  const db = new DatabaseSync(join(place.dataDir, "kuromajutsu.db"));
  db.exec("drop trigger audit_is_not_deleted");
  db.exec("delete from audit where seq = (select max(seq) from audit)");
  db.close();
  expect(await command(place, ["audit", "verify"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("missing"),
  });

  expect(await command(place, ["audit", "anchor"])).toMatchObject({ code: 0 });
  expect(await command(place, ["audit", "verify"])).toMatchObject({ code: 0 });
});

test.each([
  [["user"], 2, "kuromajutsu user add <id>"],
  [["user", "add"], 2, "kuromajutsu user add <id>"],
  [["user", "add", "aoi", "--role", "king"], 2, "viewer, operator, admin"],
  [["user", "add", "a b"], 1, "人の ID（英数字と . _ @ -、80 文字以内）"],
  [["user", "token", "nobody"], 1, "nobody という利用者はいません"],
  [["user", "remove", "nobody"], 1, "nobody という利用者はいません"],
  [["audit", "delete"], 2, "verify"],
])("the command line %j ends with exit code %i and the reason", async (args, expected, said) => {
  const { code, stdout, stderr } = await command(aPlace(), args);

  expect(code).toBe(expected);
  expect(stdout).toBe("");
  expect(stderr).toContain(said);
});
