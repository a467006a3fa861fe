import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, statusOf, untilSaid, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, command, until } from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";
import { fill, mountSmall } from "../kit/small-disk.ts";

test("writes on a full disk are refused clearly, nothing is lost, and they work again when there is space", async ({
  skip,
}) => {
  const place = aPlace();
  if (!mountSmall(place.dataDir)) skip("no permission to mount a small file system");
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const gate = aGate(place);
  const ids = await runAll(client, groupId, [{ prompt: `#rehearsal ${gate.waits}` }]);
  // The agent has printed its first line and waits; a write to the full disk would fail it.
  await untilSaid(place, ids[0] ?? "", "assistant");
  const filler = join(place.dataDir, "filler");
  try {
    writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024));
  } catch {
    // The disk is full, as intended.
  }

  const answers: Record<string, unknown>[] = [];
  for (let n = 0; n < 40; n++)
    answers.push(await client.call("create_group", { description: "x".repeat(2_000) }));
  const refused = answers.find((answer) => answer["error"]);
  expect(refused).toMatchObject({ code: "STORE_FULL", hint: expect.stringMatching(/\S/) });
  expect(await client.call("list_agents")).toMatchObject({ total: 1 });

  rmSync(filler);
  gate.open();
  await waitForAll(client, ids);
  expect((await statusOf(client, ids[0] ?? "")).result?.status).toBe("success");
  for (const { groupId: id } of answers.filter((answer) => answer["groupId"])) {
    expect(await client.call("delete_group", { groupId: id })).toHaveProperty("deleted", true);
  }
});

test("reports that meet a full disk are stored once there is space, and the agents end as reported", async ({
  skip,
}) => {
  const place = aPlace();
  if (!mountSmall(place.dataDir)) skip("no permission to mount a small file system");
  // Only the database is on the small disk, so that the agents can run up to their reports.
  const spool = join(place.dir, "spool");
  mkdirSync(spool);
  symlinkSync(spool, join(place.dataDir, "spool"));
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const prompt = "#rehearsal sleep 1500";
  const ids = await runAll(client, await aGroup(client), [{ prompt }, { prompt }, { prompt }]);
  const statuses = () => Promise.all(ids.map(async (id) => (await statusOf(client, id)).status));
  await until(async () => (await statuses()).every((status) => status === "running"));
  const filler = join(place.dataDir, "filler");
  fill(filler);
  const waits = () => place.log().match(/retrying to store a report/g)?.length ?? 0;
  const hasFailed = async () => (await statuses()).includes("failed");

  await until(async () => waits() >= ids.length || (await hasFailed()));
  rmSync(filler);
  await waitForAll(client, ids);

  expect(await statuses()).toEqual(ids.map(() => "resultReported"));
});

test("serve refuses a data directory that cannot be written, and names it", async () => {
  const place = aPlace({ KUROMAJUTSU_DATA_DIR: "/dev/null/kuromajutsu" });

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toContain("/dev/null/kuromajutsu");
});

test("a daemon whose database was deleted stops with an error instead of accepting writes that would be lost", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);

  rmSync(join(place.dataDir, "kuromajutsu.db"));
  await new Promise((resolve) => daemon.process.once("exit", resolve));

  expect(daemon.process.exitCode).toBe(1);
  expect(place.log()).toContain("was deleted or replaced");
});

test("an invalid last-port file does not keep the daemon from its agents", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const gate = aGate(place);
  const ids = await runAll(client, await aGroup(client), [
    { prompt: `#rehearsal no-report\n#rehearsal ${gate.waits}` },
  ]);
  await until(async () => (await statusOf(client, ids[0] ?? "")).status === "running");
  await first.kill("SIGKILL");
  writeFileSync(join(place.dataDir, "last-port"), "99999");

  const second = await aDaemon(place);
  const again = await anHttpClient(second.url);
  gate.open();
  await waitForAll(again, ids);

  expect((await statusOf(again, ids[0] ?? "")).status).toBe("completed");
});
