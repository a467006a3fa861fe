import { expect, test } from "vitest";
import { z } from "zod";
import { audited } from "../../../test/kit/approvals.ts";
import { anAgent, aGroup } from "../../../test/kit/builders.ts";
import { until } from "../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aDashboard, aLiveSocket } from "../../../test/kit/live-client.ts";
import { aCoreWithPeople, tokenOf, type PeopleCore } from "../../../test/kit/people.ts";
import { systemTokens } from "../../adapters/world.ts";
import { neededRole } from "./define-route.ts";
import { ROUTES } from "./routes.ts";

const PEOPLE = { vera: "viewer", ben: "operator", aoi: "admin" } as const;
const answerShape = z.record(z.string(), z.unknown());

type Call = {
  readonly token?: string;
  /** What a signed-in browser sends: the cookie and the session key. */
  readonly session?: Session;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
type Session = { readonly cookie: string; readonly "x-kuromajutsu-session": string };

async function aDoor(core: PeopleCore) {
  const door = await anHttpDoor(core);
  async function call(method: string, path: string, { token, session, body, headers }: Call = {}) {
    const response = await fetch(door.url + path, {
      method,
      headers: {
        "x-kuromajutsu": "1",
        ...(token && { authorization: `Bearer ${token}` }),
        ...session,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: answerShape.parse(text.startsWith("{") ? JSON.parse(text) : { text }),
    };
  }
  async function signIn(id: string): Promise<Session> {
    const { headers, body } = await call("POST", "/api/login", { body: { token: tokenOf(id) } });
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
    return { cookie, "x-kuromajutsu-session": String(body["sessionKey"]) };
  }
  return { ...door, call, signIn };
}

test("without sign-in every request is from the local person", async () => {
  const { call } = await aDoor(await aCoreWithPeople({}));

  expect(await call("GET", "/api/me")).toMatchObject({
    status: 200,
    body: { id: "local", role: "admin", signIn: false },
  });
  const login = await call("POST", "/api/login", { body: { token: "anything" } });
  expect(login).toMatchObject({ status: 401, body: { code: "NOT_SIGNED_IN" } });
  expect(login.headers.get("set-cookie")).toBeNull();
});

test("with sign-in, unknown senders get only /api/health", async () => {
  const { call } = await aDoor(await aCoreWithPeople(PEOPLE));

  for (const { method, path } of ROUTES) {
    const answer = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"));
    expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
    expect(answer.body).toMatchObject({ code: "NOT_SIGNED_IN" });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  }
  for (const path of ["/api/openapi.json", "/api/no-such-thing", "/"]) {
    expect((await call("GET", path)).status).toBe(401);
  }
  const health = await call("GET", "/api/health");
  expect(health).toMatchObject({ status: 200, body: { ok: true } });
  expect(health.body).not.toHaveProperty("dataDir");
  expect((await call("GET", "/api/health", { token: tokenOf("vera") })).body).toHaveProperty("pid");
});

test("a wrong token is refused, even together with a valid cookie", async () => {
  const { call, signIn } = await aDoor(await aCoreWithPeople(PEOPLE));
  const session = await signIn("ben");

  expect((await call("GET", "/api/me", { token: "kmj_wrong" })).status).toBe(401);
  expect((await call("GET", "/api/me", { token: "kmj_wrong", session })).status).toBe(401);
});

test("each role may use its routes, by token and by cookie", async () => {
  const { call, signIn } = await aDoor(await aCoreWithPeople(PEOPLE));
  const routes = { read: "/api/groups", write: "/api/groups", configure: "/api/roles" };

  for (const [id, role] of Object.entries(PEOPLE)) {
    for (const shown of [{ token: tokenOf(id) }, { session: await signIn(id) }]) {
      expect((await call("GET", "/api/me", shown)).body).toMatchObject({ id, role, signIn: true });
      const read = await call("GET", routes.read, shown);
      const write = await call("POST", routes.write, { ...shown, body: { description: "x" } });
      const configure = await call("POST", routes.configure, { ...shown, body: {} });
      expect([read.status, write.status, configure.status]).toEqual(
        { viewer: [200, 403, 403], operator: [200, 201, 403], admin: [200, 201, 400] }[role],
      );
    }
  }
});

test("only admins change the configuration; viewers read, and link their own Slack account", () => {
  const forAdmins = ROUTES.filter((route) => neededRole(route) === "admin");
  const forViewers = ROUTES.filter((route) => neededRole(route) === "viewer");

  expect(forAdmins.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      "post /api/roles",
      "put /api/roles/{id}",
      "post /api/roles/{id}/duplicate",
      "delete /api/roles/{id}",
    ]),
  );
  const writes = forViewers.filter(({ method }) => method !== "get");
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "post /api/people/me/slack-code",
  ]);
});

test("a session cookie is not audited and is Secure over HTTPS", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call } = await aDoor(core);

  const { headers } = await call("POST", "/api/login", { body: { token: tokenOf("ben") } });

  const set = headers.get("set-cookie") ?? "";
  expect(set).toMatch(/^kuromajutsu-test=ben~[\w-]{43};.* Max-Age=2592000;/);
  const secret = /~([\w-]+)/.exec(set)?.[1] ?? "?";
  expect(JSON.stringify(await audited(core))).not.toContain(secret);
  const forwarded = { "x-forwarded-proto": "https" };
  const secure = await call("POST", "/api/login", {
    body: { token: tokenOf("ben") },
    headers: forwarded,
  });
  expect(secure.headers.get("set-cookie")).toMatch(/^__Host-kuromajutsu-test=ben~.*; Secure/);
});

test("signing out ends the session in the daemon, not only in the browser", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const [mine, other] = [await signIn("ben"), await signIn("ben")];

  const out = await call("POST", "/api/logout", { session: mine });

  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await call("GET", "/api/me", { session: mine })).status).toBe(401);
  expect((await call("GET", "/api/me", { session: other })).status).toBe(200);
  expect((await audited(core)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    "ben person.signed_in",
    "ben person.signed_in",
    "ben person.signed_out",
  ]);
});

test("a session cookie is valid for 30 days", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const session = await signIn("ben");

  core.advance(30 * 86_400_000 - 1);
  expect((await call("GET", "/api/me", { session })).status).toBe(200);
  core.advance(1);
  expect((await call("GET", "/api/me", { session })).status).toBe(401);
});

test("a person who is removed or gets a new token is signed out, and a new person with the same id is not signed in", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const session = await signIn("ben");
  const forged = { ...session, cookie: session.cookie.replace("ben~", "aoi~") };

  expect((await call("GET", "/api/me", { session: forged })).status).toBe(401);
  core.setPeople({ aoi: "admin" });
  expect((await call("GET", "/api/me", { session })).status).toBe(401);
  core.setPeople(PEOPLE);
  const people = { ...core.people, isEnabled: true, tokenHashOf: () => "f".repeat(64) };
  const again = await aDoor({ ...core, people });
  expect((await again.call("GET", "/api/me", { session })).status).toBe(401);
  expect((await call("GET", "/api/me", { session })).status).toBe(200);
});

test("wrong tokens are audited and rate-limited at sign-in and with every request, valid ones never", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, url } = await aDoor(core);
  const guesses = [
    () => call("POST", "/api/login", { body: { token: "kmj_guess" } }),
    () => call("GET", "/api/me", { token: "kmj_guess" }),
    () => call("POST", "/mcp", { token: "kmj_guess", body: {} }),
  ];

  for (let n = 0; n < 10; n++) expect((await guesses[n % 3]?.())?.status).toBe(401);

  for (const guess of guesses) expect((await guess()).status).toBe(429);
  const authorization = "Bearer kmj_guess";
  await expect(aLiveSocket(url, { headers: { authorization } })).rejects.toThrow("429");
  const token = tokenOf("ben");
  expect((await call("POST", "/api/login", { body: { token } })).status).toBe(200);
  expect((await call("GET", "/api/me", { token })).status).toBe(200);
  const failures = (await audited(core)).filter(({ action }) => action === "person.sign_in_failed");
  expect(failures).toHaveLength(10);
  expect(failures[0]?.data).toMatchObject({ address: "127.0.0.1" });
  expect(JSON.stringify(failures)).not.toContain("kmj_guess");
});

test("an agent's token never counts as a person, with sign-in and without", async () => {
  for (const people of [{}, PEOPLE]) {
    const core = await aCoreWithPeople(people);
    const tokenHash = systemTokens.hash("agent-token");
    await core.store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      await unit.insertAgent(anAgent({ tokenHash, process: "alive", status: "running" }), "x");
    });
    const { call } = await aDoor(core);

    for (const path of ["/api/me", "/api/approvals"]) {
      expect(await call("GET", path, { token: "agent-token" })).toMatchObject({
        status: 403,
        body: { code: "PERSON_NEEDED" },
      });
    }
  }
});

test("a message carries the name of the person who sent it", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const agent = anAgent({ process: "alive", status: "running" });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertAgent(agent, "x");
  });
  const { call } = await aDoor(core);

  await call("POST", `/api/agents/${agent.id}/message`, {
    token: tokenOf("ben"),
    body: { text: "急いで" },
  });

  expect(await core.store.listNotifications(agent.id, 1)).toMatchObject([{ from: "ben" }]);
});

test("an Idempotency-Key of one person never returns the answer to another", async () => {
  const { call } = await aDoor(await aCoreWithPeople(PEOPLE));
  const make = (id: string) =>
    call("POST", "/api/groups", {
      token: tokenOf(id),
      body: { description: "同じ" },
      headers: { "idempotency-key": "k" },
    });

  const [first, again, other] = [await make("ben"), await make("ben"), await make("aoi")];

  expect(again.body["groupId"]).toBe(first.body["groupId"]);
  expect(other.status).toBe(201);
  expect(other.body["groupId"]).not.toBe(first.body["groupId"]);
});

test("only known people get the WebSocket, by cookie or token", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { url, signIn } = await aDoor(core);

  for (const path of ["/ws", "/"]) {
    await expect(aLiveSocket(url, { path })).rejects.toThrow("401");
    await expect(
      aLiveSocket(url, { path, headers: { cookie: "kuromajutsu-test=x" } }),
    ).rejects.toThrow("401");
  }
  const byCookie = await aDashboard(url, {}, { headers: await signIn("vera") });
  const byToken = await aDashboard(
    url,
    {},
    { headers: { authorization: `Bearer ${tokenOf("ben")}` } },
  );
  await byCookie.frame("snapshot");
  await byToken.frame("snapshot");
});

test("a person who loses access is disconnected from the WebSocket at once", async () => {
  const core = await aCoreWithPeople({});
  const { url, live } = await aDoor(core);
  const stranger = await aLiveSocket(url);

  core.setPeople(PEOPLE);
  void live.peopleChanged();
  await until(() => stranger.closed());

  const headers = { authorization: `Bearer ${tokenOf("ben")}` };
  const [ben, aoi] = [
    await aLiveSocket(url, { headers }),
    await aLiveSocket(url, { headers: { authorization: `Bearer ${tokenOf("aoi")}` } }),
  ];
  core.setPeople({ aoi: "admin" });
  void live.peopleChanged();
  await until(() => ben.closed());
  expect(aoi.closed()).toBe(false);
});

test("a cookie without its session key, as another server on this host receives it, is refused", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, url, signIn } = await aDoor(core);
  const { cookie, "x-kuromajutsu-session": key } = await signIn("aoi");
  const stolen: readonly Record<string, string>[] = [
    { cookie },
    { cookie, "x-kuromajutsu-session": "" },
    { cookie, "x-kuromajutsu-session": "x".repeat(43) },
    { cookie, "x-kuromajutsu-session": cookie.split("~")[1] ?? "" },
    { "x-kuromajutsu-session": key },
    { cookie: `kuromajutsu-test=aoi~${key}`, "x-kuromajutsu-session": key },
  ];

  for (const headers of stolen) {
    expect((await call("GET", "/api/approvals", { headers })).status).toBe(401);
    const made = await call("POST", "/api/groups", { headers, body: { description: "x" } });
    expect(made.status).toBe(401);
    expect((await call("GET", "/api/health", { headers })).body).not.toHaveProperty("dataDir");
    await expect(aLiveSocket(url, { headers })).rejects.toThrow("401");
    expect((await call("POST", "/api/logout", { headers })).status).toBe(200);
  }
  const own = { cookie, "x-kuromajutsu-session": key };
  expect((await call("GET", "/api/me", { session: own })).body).toMatchObject({ id: "aoi" });
  expect(JSON.stringify(await audited(core))).not.toContain(key);
});

test("a browser sends the session key as a WebSocket subprotocol, which is not echoed", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { url, signIn } = await aDoor(core);
  const { cookie, "x-kuromajutsu-session": key } = await signIn("vera");
  const offering = (...protocols: readonly string[]) =>
    aLiveSocket(url, { headers: { cookie }, protocols });

  const opened = await offering("kuromajutsu", `kuromajutsu.session.${key}`);

  expect(opened.socket.protocol).toBe("kuromajutsu");
  await expect(offering("kuromajutsu")).rejects.toThrow("401");
  await expect(offering("kuromajutsu", "kuromajutsu.session.x")).rejects.toThrow("401");
});

test("cookies of another daemon on this host are kept, and invalid ones beside ours are ignored", async () => {
  const { call, signIn } = await aDoor(await aCoreWithPeople(PEOPLE));
  const session = await signIn("ben");
  const among = `kuromajutsu-other=ben~x; kuromajutsu=ben~y; kuromajutsu-test=junk; ${session.cookie}`;

  const me = await call("GET", "/api/me", { session: { ...session, cookie: among } });

  expect(me.status).toBe(200);
  const out = await call("POST", "/api/logout", { session });
  expect(out.headers.get("set-cookie")).not.toContain("kuromajutsu-other");
});

test("an unknown token is refused without sign-in too, and never becomes the local person", async () => {
  const core = await aCoreWithPeople({});
  const tokenHash = systemTokens.hash("ended-agent");
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertAgent(anAgent({ tokenHash, process: "ended", status: "completed" }), "x");
  });

  for (const token of ["nonsense", "ended-agent"]) {
    const { call, url } = await aDoor(core);
    for (const path of ["/api/me", "/api/approvals"]) {
      const answer = await call("GET", path, { token });
      expect(answer).toMatchObject({ status: 401, body: { code: "NOT_SIGNED_IN" } });
    }
    const made = await call("POST", "/api/groups", { token, body: { description: "x" } });
    expect(made.status).toBe(401);
    expect((await call("POST", "/mcp", { token, body: {} })).status).toBe(401);
    expect((await call("GET", "/api/health", { token })).body).not.toHaveProperty("dataDir");
    const headers = { authorization: `Bearer ${token}` };
    await expect(aLiveSocket(url, { headers })).rejects.toThrow("401");
  }
});

test("signing out closes the WebSockets of the same session only", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { url, signIn, call } = await aDoor(core);
  const [mine, other] = [await signIn("vera"), await signIn("vera")];
  const leaving = await aLiveSocket(url, { headers: mine });
  const staying = await aLiveSocket(url, { headers: other });

  await call("POST", "/api/logout", { session: mine });

  await until(() => leaving.closed());
  expect(staying.closed()).toBe(false);
});
