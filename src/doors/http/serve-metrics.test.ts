import { expect, test } from "vitest";
import { anAgent, aGroup, NOON } from "../../../test/kit/builders.ts";
import { aCore } from "../../../test/kit/core.ts";
import { aRunningExecution, call, pendingApproval, WRITE } from "../../../test/kit/execution.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aDashboard } from "../../../test/kit/live-client.ts";
import { aCoreWithPeople, tokenOf } from "../../../test/kit/people.ts";
import { metricsAt, readMetrics } from "../../../test/kit/prometheus.ts";
import { systemTokens } from "../../adapters/world.ts";
import { Refusal } from "../../domain/refusal.ts";

const metrics = (url: string, init: RequestInit = {}) => fetch(`${url}/metrics`, init);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test("metrics are the text format of Prometheus with states, ages, limits and the version", async () => {
  const core = await aCore();
  await core.store.transaction(async (unit) => {
    const group = aGroup();
    await unit.insertGroup(group);
    const about = { groupId: group.id, runner: "claude", createdAt: NOON } as const;
    await unit.insertAgent(anAgent({ ...about, id: "a-1794733200-0001" }), "secret prompt");
    await unit.insertAgent(
      anAgent({ ...about, id: "a-1794733200-0002", held: true, createdAt: NOON - 9_000 }),
      "secret prompt",
    );
  });
  core.advance(2_500);
  const { url } = await anHttpDoor(core);
  await aDashboard(url);

  const response = await metrics(url);
  const text = await response.text();

  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const samples = readMetrics(text);
  const of = (name: string) => samples.get(`kuromajutsu_${name}`);
  expect(of(`build_info{version="${core.version}"}`)).toBe(1);
  expect(of("store_up")).toBe(1);
  expect(of('agents{state="waiting",runner="claude"}')).toBe(1);
  expect(of('agents{state="held",runner="claude"}')).toBe(1);
  expect(of('agents{state="alive",runner="claude"}')).toBe(0);
  expect(of("agent_queue_age_seconds")).toBe((core.clock.now() - NOON) / 1_000);
  expect(of('agent_slots{kind="worker"}')).toBe(core.settings.maxConcurrent);
  expect(of('tasks{status="blocked"}')).toBe(0);
  expect(of("dashboards")).toBe(1);
  expect(of("servers")).toBe(1);
  expect(of("server_leader")).toBe(1);
  expect(samples.get("nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(0);
  expect(text).not.toMatch(/secret prompt|1794733200/);
});

test("metrics count the calls that wait for a person, and how long the oldest approval waits", async () => {
  const { core } = await aRunningExecution();
  const { url } = await anHttpDoor(core);
  const client = new AbortController();
  const calling = call(core, WRITE, {}, { signal: client.signal }).catch(() => undefined);
  const { createdAt } = await pendingApproval(core);

  const samples = await metricsAt(url);
  expect(samples.get('kuromajutsu_tool_calls{state="held"}')).toBe(1);
  expect(samples.get("kuromajutsu_approvals_pending")).toBe(1);
  const age = (core.clock.now() - createdAt) / 1_000;
  expect(samples.get("kuromajutsu_approval_age_seconds")).toBeCloseTo(age, 0);

  client.abort();
  await calling;
  expect((await metricsAt(url)).get('kuromajutsu_tool_calls{state="held"}')).toBe(0);
});

test("with sign-in, metrics need the token of a person; that of an agent is not enough", async () => {
  const core = await aCoreWithPeople({ vera: "viewer" });
  const agentToken = "kmj_agent";
  await core.store.transaction(async (unit) => {
    const group = aGroup();
    const tokenHash = systemTokens.hash(agentToken);
    await unit.insertGroup(group);
    const running = { process: "alive", status: "running", tokenHash } as const;
    await unit.insertAgent(anAgent({ groupId: group.id, ...running }), "work");
  });
  const { url } = await anHttpDoor(core);

  const refused = await metrics(url);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect(await refused.text()).not.toContain("kuromajutsu_");
  expect((await metrics(url, bearer("kmj_wrong"))).status).toBe(401);
  expect((await metrics(url, bearer(agentToken))).status).toBe(403);
  expect((await metrics(url, bearer(tokenOf("vera")))).status).toBe(200);
});

test("metrics name what is wrong with another method, another format or another host", async () => {
  const { url } = await anHttpDoor(await aCore());

  const changed = await metrics(url, { method: "POST" });
  expect([changed.status, changed.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(await changed.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  const json = await metrics(url, { headers: { accept: "application/json" } });
  expect([json.status, await json.json()]).toMatchObject([406, { code: "NOT_ACCEPTABLE" }]);
  const prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3,*/*;q=0.1";
  expect((await metrics(url, { headers: { accept: prometheus } })).status).toBe(200);
  expect((await metrics(url, { method: "HEAD" })).status).toBe(200);
  const elsewhere = await anHttpDoor(await aCore(), { allowedHostnames: ["kuro.example.com"] });
  expect((await metrics(elsewhere.url)).status).toBe(403);
});

test("many requests for metrics ask the database once per second", async () => {
  const core = await aCore();
  let queries = 0;
  const countTasks = () => {
    queries += 1;
    return core.store.countTasks();
  };
  const { url } = await anHttpDoor({ ...core, store: { ...core.store, countTasks } });
  const ask = () => Promise.all(Array.from({ length: 20 }, () => metricsAt(url)));

  await ask();
  expect(queries).toBe(1);
  core.advance(1_000);
  await ask();
  expect(queries).toBe(2);
});

test("metrics say that the database is away, and claim nothing that only it knows", async () => {
  const core = await aCore();
  let isAway = false;
  const countTasks = () =>
    isAway
      ? Promise.reject(new Refusal("STORE_UNAVAILABLE", { en: ["no", "no"], ja: ["no", "no"] }))
      : core.store.countTasks();
  const { url } = await anHttpDoor({ ...core, store: { ...core.store, countTasks } });
  expect((await metricsAt(url)).get("kuromajutsu_approvals_pending")).toBe(0);

  isAway = true;
  core.advance(1_000);
  const samples = await metricsAt(url);

  expect(samples.get("kuromajutsu_store_up")).toBe(0);
  expect(samples.get("kuromajutsu_dashboards")).toBe(0);
  const known = [...samples.keys()].filter((name) => name.startsWith("kuromajutsu_"));
  expect(known.filter((name) => /agents|queue|tasks|approval|servers/.test(name))).toEqual([]);
});
