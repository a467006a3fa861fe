import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/adapters/store/postgres/postgres-store.ts";
import { aCore, dyingAtCommit, type TestCore } from "../kit/core.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { askFor, HR, upstreamWith } from "../kit/task-flow.ts";

async function aServerOn(url: string, serverId: string): Promise<TestCore> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return aCore({ store, serverId, upstream: upstreamWith(...HR) });
}

test("a task whose server dies right after the request is stored is drafted by another server", async () => {
  const url = await aMigratedUrl();
  const a = await aServerOn(url, "a");
  const b = await aServerOn(url, "b");
  // Its process is gone: it runs no job any more.
  await a.jobs.start(async () => undefined)();

  const { id } = await askFor(dyingAtCommit(a));

  const roles = async () => (await b.store.listTaskAgents(id)).map(({ role }) => role);
  await expect.poll(roles, { timeout: 20_000 }).toEqual(["task-analyst"]);
  await expect.poll(() => b.launches.length, { timeout: 20_000 }).toBe(1);
});
