import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf } from "../../kit/agents.ts";
import { aStdioClient, until, withFakeCursor } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aServer, rowsOf, SETTINGS } from "../../kit/postgres/servers.ts";
import { aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import { processesWith } from "../../kit/processes.ts";

const KEY = "key-that-only-the-client-has-7f3a";
const CONFIG = {
  ...SETTINGS,
  server: { slots: 0 },
  agent: { ...SETTINGS.agent, runner: "cursor", env: ["FAKE_AGENT_SLEEP"] },
};
const agentShape = z.looseObject({ waitingFor: z.string().optional() });

function filesIn(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

/** Every row of every table, as text. */
async function dump(url: string): Promise<string> {
  const tables = await rowsOf(
    url,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf(url, `select row_to_json(t)::text as text from ${String(name)} t`);
    texts.push(...rows.map(({ text }) => String(text)));
  }
  return texts.join("\n");
}

test("a key of a client reaches its agent on a worker, and is in no row, log or file; other servers say what the agent waits for", async () => {
  const url = await aMigratedUrl();
  const [first, second] = [await aServer(url, CONFIG), await aServer(url, CONFIG)];
  const { id, place: bare } = await aWorkerPlace(first, "build-1");
  const place = withFakeCursor(bare);
  Object.assign(place.env, { FAKE_AGENT_SLEEP: "120" });
  const worker = await startWorker(first, place, id, { name: "build-1", slots: 1 });
  const client = await aStdioClient({
    ...first.place,
    env: { ...first.place.env, CURSOR_API_KEY: KEY },
  });

  const groupId = await aGroup(client);
  const [runs = "", waits = ""] = await runAll(client, groupId, [{}, {}]);
  await until(async () => (await statusOf(client, runs)).status === "running");

  const processes = processesWith(`KUROMAJUTSU_AGENT_ID=${runs}`);
  expect(processes.length).toBeGreaterThan(0);
  for (const { environment } of processes) {
    expect(environment).toContain(`CURSOR_API_KEY=${KEY}`);
  }
  const rows = await rowsOf(url, `select worker_id, client_keys from agents where id = '${runs}'`);
  expect(rows).toEqual([{ worker_id: worker.id, client_keys: '["CURSOR_API_KEY"]' }]);

  const reasonAt = async (main: typeof client) =>
    agentShape.parse(await statusOf(main, waits)).waitingFor;
  expect([await reasonAt(client), await reasonAt(first.main)]).toEqual([undefined, undefined]);
  expect(await reasonAt(second.main)).toBe(
    "It waits for the server that has its key, or for its client to send the key again.",
  );

  const whileRunning = filesIn(place.dir);
  // The end is stored with everything that the agent wrote.
  await client.call("cancel_agent", { agentId: waits });
  await client.call("cancel_agent", { agentId: runs });
  await until(() => processesWith(`KUROMAJUTSU_AGENT_ID=${runs}`).length === 0);
  await until(async () => (await statusOf(client, runs)).status === "cancelled");

  const stored = await dump(url);
  expect(stored).toContain(runs);
  const written = [place, first.place, second.place].map(({ dir }) => filesIn(dir));
  expect(written[0]).toContain("apiKeySource");
  for (const text of [stored, whileRunning, ...written]) {
    expect(text.includes(KEY)).toBe(false);
    expect(text.includes(Buffer.from(KEY).toString("hex"))).toBe(false);
  }
});
