import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { command, type TestClient, until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aPostgres, tcpUrl } from "../../kit/postgres/database.ts";
import { aConnection, agentRows, aServer, rowsOf, SETTINGS } from "../../kit/postgres/servers.ts";
import { metricsAt } from "../../kit/prometheus.ts";
import { rounds } from "../../kit/rounds.ts";

/** Nothing that happens in a test waits for the end of its lease. */
const serverWith = (label: string) => ({
  ...SETTINGS,
  server: { labels: [label] },
  store: { lease_ms: 300_000 },
});
/** Its head start, the poll of the other server, and a busy machine. */
const LEFT_JOB_MS = 20_000;

/** One agent per stage, each on the server with its label. */
async function runStages(
  { call }: TestClient,
  labels: readonly string[],
  prompt = "#rehearsal sleep 1000",
): Promise<string> {
  const { groupId } = await call("create_group", { description: "stages", mode: "sequential" });
  await call("run_sequential", {
    groupId,
    stages: labels.map((label) => ({ tasks: [{ role: "impl-code", prompt, labels: [label] }] })),
  });
  return z.string().parse(groupId);
}

/** Until it is released, no server can open a stage of the group, but its agents can end. */
async function holdGroup(url: string, groupId: string): Promise<() => Promise<void>> {
  const holder = await aConnection(url);
  await holder.query("begin");
  await holder.query("select 1 from groups where id = $1 for no key update", [groupId]);
  return async () => void (await holder.query("commit"));
}

async function waitsForLock(url: string): Promise<boolean> {
  const rows = await rowsOf(
    url,
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
}

const states = async (url: string) =>
  z
    .array(z.object({ state: z.string() }))
    .parse(await rowsOf(url, "select state from kuromajutsu_jobs.job where name = 'reactions'"))
    .map(({ state }) => state);

test("a server that dies after an agent's end and before it reacts is not waited for: another one opens the next stage", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url, serverWith("first"));
  const b = await aServer(url, serverWith("second"));
  const groupId = await runStages(a.main, ["first", "second"]);
  const release = await holdGroup(url, groupId);
  await until(async () => (await agentRows(url))[0]?.process === "ended");
  await until(() => waitsForLock(url));

  await a.daemon.kill("SIGKILL");
  await release();
  await until(async () => (await agentRows(url))[1]?.process === "ended", undefined, LEFT_JOB_MS);

  expect(await agentRows(url)).toMatchObject([
    { worker_id: a.id },
    { worker_id: b.id, attempt: 1 },
  ]);
  await until(async () => (await states(url)).every((state) => state === "completed"));
});

test("a job that always fails ends as a dead letter in the log and the metrics, and stages go on meanwhile", async () => {
  const url = await aMigratedUrl();
  const servers = [
    await aServer(url, serverWith("first")),
    await aServer(url, serverWith("second")),
  ];
  const [a] = servers;
  if (!a) throw new Error("no server");
  // As if a much newer server had stored it and died.
  await rowsOf(
    url,
    `insert into kuromajutsu_jobs.job (name, data, retry_limit, retry_delay, dead_letter, policy)
       values ('reactions', '{"kind": "from_the_future", "id": "x"}', 1, 0, 'dead_letters', 'standard')`,
  );

  await runStages(a.main, ["first", "second"], "#rehearsal sleep 50");

  await until(async () => (await agentRows(url))[1]?.process === "ended", undefined, LEFT_JOB_MS);
  const given = () =>
    servers.flatMap(({ place }) => place.log().match(/^.*was given up.*$/gm) ?? []);
  await until(() => given().length > 0, undefined, 60_000);
  expect(given()).toHaveLength(1);
  expect(given()[0]).toContain("from_the_future");
  for (const { url: at } of servers) {
    const samples = await metricsAt(at);
    expect(samples.get('kuromajutsu_jobs_dead{kind="from_the_future"}')).toBe(1);
    expect(samples.get('kuromajutsu_jobs_dead{kind="agent_settled"}')).toBe(0);
  }

  expect((await command(a.place, ["status"])).stdout).toMatch(
    /^ {2}jobs +1 given up; look at them with `(npx )?kuromajutsu jobs`$/m,
  );
  const { stdout: listed } = await command(a.place, ["jobs"]);
  const id = /^([0-9a-f]{8}) .* from_the_future +x +.*does not know this kind/m.exec(listed)?.[1];
  expect(listed).toContain("kuromajutsu jobs retry` tries all of them again");
  const retried = await command(a.place, ["jobs", "retry", id ?? "none"]);
  expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining("1 job is back") });
  expect(await command(a.place, ["jobs", "retry", id ?? "none"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("tried again already"),
  });
  const japanese = { ...a.place, env: { ...a.place.env, LANG: "ja_JP.UTF-8" } };
  expect((await command(japanese, ["jobs"])).stdout).toBe("あきらめたジョブはありません。\n");
  expect((await command(a.place, ["status"])).stdout).not.toContain("given up");
});

test("PostgreSQL is killed while stages advance on two servers: every stage opens, and every job is completed", async () => {
  const postgres = await aPostgres();
  await migratePostgres(postgres.url);
  const url = tcpUrl(postgres.url);
  const a = await aServer(url, serverWith("first"));
  const b = await aServer(url, serverWith("second"));
  const STAGES = ["first", "second", "first"];
  const GROUPS = 4;
  for (let group = 0; group < GROUPS; group++) {
    await runStages(a.main, STAGES, "#rehearsal sleep 300");
  }

  for (let kill = 0; kill < rounds({ all: 6, few: 2 }); kill++) {
    await sleep(700);
    await postgres.kill9();
    await sleep(300);
    await postgres.start();
  }
  await until(
    async () => (await agentRows(url)).every(({ process }) => process === "ended"),
    undefined,
    120_000,
  );

  expect(await agentRows(url)).toHaveLength(GROUPS * STAGES.length);
  expect([a, b].map(({ daemon }) => daemon.process.exitCode)).toEqual([null, null]);
  await until(
    async () => (await states(url)).every((state) => state === "completed"),
    undefined,
    60_000,
  );
});
