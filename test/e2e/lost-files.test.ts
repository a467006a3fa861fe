import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, anHttpClient, aPlace, command, type TestClient } from "../kit/daemon.ts";

const created = z.object({ taskId: z.string() });

/** Creates tasks until one is refused or the daemon has ended; returns the acknowledged ones. */
async function createUntilRefused(client: TestClient) {
  const acknowledged: string[] = [];
  for (let n = 0; n < 2_000; n++) {
    const answer = await client
      .call("create_task", { request: `議事録 ${n} を書いて` })
      .catch((error: unknown) => ({ gone: String(error) }));
    const parsed = created.safeParse(answer);
    if (!parsed.success) return { acknowledged, refusal: answer };
    acknowledged.push(parsed.data.taskId);
  }
  throw new Error("2,000 tasks were taken although the log was gone");
}

test("a daemon whose -wal was deleted stops at once, and every acknowledged task is there after a restart", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const before = await client.call("create_task", { request: "議事録を書いて" });
  const exited = new Promise((resolve) => first.process.once("exit", resolve));

  rmSync(join(place.dataDir, "kuromajutsu.db-wal"));
  const { acknowledged, refusal } = await createUntilRefused(client);

  // No task is accepted after the -wal was deleted; the daemon may end before it can refuse one.
  expect(acknowledged).toEqual([]);
  expect(JSON.stringify(refusal)).toMatch(/STORE_LOST|DAEMON_RESTARTED|gone/);
  await exited;
  expect(first.process.exitCode).toBe(1);
  expect(place.log()).toMatch(/kuromajutsu\.db-wal was deleted or replaced.*nothing is lost/);
  const second = await aDaemon(place);
  const again = await anHttpClient(second.url);
  const { taskId } = created.parse(before);
  expect(await again.call("get_task", { taskId })).toMatchObject({ taskId });
  await second.kill("SIGTERM");
  const audit = await command(place, ["audit", "verify"]);
  expect(audit).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("すべてがつながっています"),
  });
});

test("an idle daemon detects a deleted -wal without a write", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const task = await client.call("create_task", { request: "議事録を書いて" });
  const exited = new Promise((resolve) => first.process.once("exit", resolve));

  rmSync(join(place.dataDir, "kuromajutsu.db-wal"));
  await exited;

  expect(first.process.exitCode).toBe(1);
  const second = await aDaemon(place);
  const again = await anHttpClient(second.url);
  const { taskId } = created.parse(task);
  expect(await again.call("get_task", { taskId })).toMatchObject({ taskId });
});

test("after its database was deleted the daemon refuses to start with an empty one and names the copy", async () => {
  const place = aPlace();
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const task = await client.call("create_task", { request: "議事録を書いて" });
  const exited = new Promise((resolve) => first.process.once("exit", resolve));
  const path = join(place.dataDir, "kuromajutsu.db");

  rmSync(path);
  await exited;
  const refused = await command(place, ["serve"]);

  const copy = readdirSync(place.dataDir).find((name) => name.includes(".db.rescued-"));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(copy ?? "no copy") });
  renameSync(join(place.dataDir, copy ?? ""), path);
  const second = await aDaemon(place);
  const again = await anHttpClient(second.url);
  const { taskId } = created.parse(task);
  expect(await again.call("get_task", { taskId })).toMatchObject({ taskId });
});
