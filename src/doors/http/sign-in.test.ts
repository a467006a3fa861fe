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
  readonly cookie?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

async function aDoor(core: PeopleCore) {
  const door = await anHttpDoor(core);
  async function call(method: string, path: string, { token, cookie, body, headers }: Call = {}) {
    const response = await fetch(door.url + path, {
      method,
      headers: {
        "x-kuromajutsu": "1",
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
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
  async function signIn(id: string): Promise<string> {
    const { headers } = await call("POST", "/api/login", { body: { token: tokenOf(id) } });
    return (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }
  return { ...door, call, signIn };
}

test("without sign-in everyone on this machine is the one person there is", async () => {
  const { call } = await aDoor(await aCoreWithPeople({}));

  expect(await call("GET", "/api/me")).toMatchObject({
    status: 200,
    body: { id: "local", role: "admin", signIn: false },
  });
  const login = await call("POST", "/api/login", { body: { token: "anything" } });
  expect(login).toMatchObject({ status: 200, body: { id: "local", signIn: false } });
  expect(login.headers.get("set-cookie")).toBeNull();
});

test("with sign-in nothing under /api answers strangers, but the question whether we are there", async () => {
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

test("a wrong token is nobody's, also beside a cookie that counts", async () => {
  const { call, signIn } = await aDoor(await aCoreWithPeople(PEOPLE));
  const cookie = await signIn("ben");

  expect((await call("GET", "/api/me", { token: "kmj_wrong" })).status).toBe(401);
  expect((await call("GET", "/api/me", { token: "kmj_wrong", cookie })).status).toBe(401);
});

test("each role may do what it is for, by token and by cookie", async () => {
  const { call, signIn } = await aDoor(await aCoreWithPeople(PEOPLE));
  const routes = { read: "/api/groups", write: "/api/groups", configure: "/api/roles" };

  for (const [id, role] of Object.entries(PEOPLE)) {
    for (const shown of [{ token: tokenOf(id) }, { cookie: await signIn(id) }]) {
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

test("what changes the configuration is for admins, and a viewer only ever reads", () => {
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
  expect(forViewers.every(({ method }) => method === "get")).toBe(true);
});

test("a cookie is for this browser and this site only, and its secret is nowhere here", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call } = await aDoor(core);

  const { headers } = await call("POST", "/api/login", { body: { token: tokenOf("ben") } });

  const set = headers.get("set-cookie") ?? "";
  expect(set).toMatch(
    /^kuromajutsu=ben~[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  );
  const secret = /~([\w-]+)/.exec(set)?.[1] ?? "?";
  expect(JSON.stringify(await audited(core))).not.toContain(secret);
  const forwarded = { "x-forwarded-proto": "https" };
  const secure = await call("POST", "/api/login", {
    body: { token: tokenOf("ben") },
    headers: forwarded,
  });
  expect(secure.headers.get("set-cookie")).toContain("; Secure");
});

test("signing out ends the cookie here, not only in the browser", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const [mine, other] = [await signIn("ben"), await signIn("ben")];

  const out = await call("POST", "/api/logout", { cookie: mine });

  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await call("GET", "/api/me", { cookie: mine })).status).toBe(401);
  expect((await call("GET", "/api/me", { cookie: other })).status).toBe(200);
  expect((await audited(core)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    "ben person.signed_in",
    "ben person.signed_in",
    "ben person.signed_out",
  ]);
});

test("a cookie counts for 30 days", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const cookie = await signIn("ben");

  core.advance(30 * 86_400_000 - 1);
  expect((await call("GET", "/api/me", { cookie })).status).toBe(200);
  core.advance(1);
  expect((await call("GET", "/api/me", { cookie })).status).toBe(401);
});

test("who was removed, or has a new token, is signed out; a successor of the same name is not signed in", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call, signIn } = await aDoor(core);
  const cookie = await signIn("ben");
  const forged = cookie.replace("ben~", "aoi~");

  expect((await call("GET", "/api/me", { cookie: forged })).status).toBe(401);
  core.setPeople({ aoi: "admin" });
  expect((await call("GET", "/api/me", { cookie })).status).toBe(401);
  core.setPeople(PEOPLE);
  const people = { ...core.people, isEnabled: true, tokenHashOf: () => "f".repeat(64) };
  const again = await aDoor({ ...core, people });
  expect((await again.call("GET", "/api/me", { cookie })).status).toBe(401);
  expect((await call("GET", "/api/me", { cookie })).status).toBe(200);
});

test("wrong tokens are audited, and after ten of them the address has to wait", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { call } = await aDoor(core);
  const guess = () => call("POST", "/api/login", { body: { token: "kmj_guess" } });

  for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(401);
  const eleventh = await guess();

  expect(eleventh).toMatchObject({ status: 429, body: { code: "TOO_MANY_TRIES" } });
  const right = await call("POST", "/api/login", { body: { token: tokenOf("ben") } });
  expect(right.status).toBe(429);
  const failures = (await audited(core)).filter(({ action }) => action === "person.sign_in_failed");
  expect(failures).toHaveLength(10);
  expect(failures[0]?.data).toEqual({ address: "127.0.0.1" });
  expect(JSON.stringify(failures)).not.toContain("kmj_guess");
});

test("an agent that shows its own token is no person, with sign-in and without", async () => {
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

test("one person's Idempotency-Key gives no other person their answer", async () => {
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

test("the WebSocket is for people who are known, by cookie or token", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { url, signIn } = await aDoor(core);

  for (const path of ["/ws", "/"]) {
    await expect(aLiveSocket(url, { path })).rejects.toThrow("401");
    await expect(aLiveSocket(url, { path, headers: { cookie: "kuromajutsu=x" } })).rejects.toThrow(
      "401",
    );
  }
  const byCookie = await aDashboard(url, {}, { headers: { cookie: await signIn("vera") } });
  const byToken = await aDashboard(
    url,
    {},
    { headers: { authorization: `Bearer ${tokenOf("ben")}` } },
  );
  await byCookie.frame("snapshot");
  await byToken.frame("snapshot");
});

test("who may not watch any more is let go at once", async () => {
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

test("signing out closes what the same sign-in watches, and nobody else's", async () => {
  const core = await aCoreWithPeople(PEOPLE);
  const { url, signIn, call } = await aDoor(core);
  const [mine, other] = [await signIn("vera"), await signIn("vera")];
  const leaving = await aLiveSocket(url, { headers: { cookie: mine } });
  const staying = await aLiveSocket(url, { headers: { cookie: other } });

  await call("POST", "/api/logout", { cookie: mine });

  await until(() => leaving.closed());
  expect(staying.closed()).toBe(false);
});
