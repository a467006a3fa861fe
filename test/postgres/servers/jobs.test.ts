import { expect, test } from "vitest";
import { z } from "zod";
import { type TestClient, until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aConnection, agentRows, aServer, rowsOf, SETTINGS } from "../../kit/postgres/servers.ts";

/** Nothing that happens in a test waits for the end of its lease. */
const serverWith = (label: string) => ({
  ...SETTINGS,
  server: { labels: [label] },
  store: { lease_ms: 300_000 },
});
/** Its head start, the poll of the other server, and a busy machine. */
const LEFT_JOB_MS = 20_000;

/** One agent per stage, each on the server with its label. */
async function runStages({ call }: TestClient, labels: readonly string[]): Promise<string> {
  const { groupId } = await call("create_group", { description: "stages", mode: "sequential" });
  const prompt = "#rehearsal sleep 1000";
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
