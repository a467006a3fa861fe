import { expect, onTestFinished, test } from "vitest";
import { aMigratedUrl } from "../../../../test/kit/postgres/daemon-place.ts";
import { aConnection, rowsOf } from "../../../../test/kit/postgres/servers.ts";
import type { ServerDetails } from "../../../app/ports/servers.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { openServers } from "./servers.ts";
import { openWorkers } from "./workers.ts";

const LEASE_MS = 60_000;
const DETAILS: ServerDetails = {
  host: "h",
  pid: 1,
  version: "1",
  url: null,
  configHash: "1",
  slots: null,
  labels: [],
};

test("a server does not come back before a change of its clean-up is committed, and none is made later", async () => {
  const url = await aMigratedUrl();
  const open = (id: string) => {
    const servers = openServers({ url, id });
    onTestFinished(() => servers.close());
    return servers;
  };
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const [dead, other] = [open("srv-dead"), open("srv-other")];
  await dead.join(DETAILS);
  await rowsOf(url, "update servers set seen = now() - interval '1 hour'");
  await other.endExpired(Date.now() - LEASE_MS);
  expect(await dead.join(DETAILS)).toBe(false);
  const order: string[] = [];
  let joined: Promise<unknown> | undefined;

  await store.transaction(async (unit) => {
    expect(await unit.holdEnd("servers", dead.id)).toBe(true);
    joined = other
      .forget(dead.id)
      .then(() => dead.join(DETAILS))
      .then((isIn) => order.push(isIn ? "joined" : "refused"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    order.push("changed");
  });
  await joined;

  expect(order).toEqual(["changed", "joined"]);
  expect(await store.transaction((unit) => unit.holdEnd("servers", dead.id))).toBe(false);
});

test("lists of servers and workers that have to wait do not delay the beats", async () => {
  const url = await aMigratedUrl();
  const servers = openServers({ url, id: "srv-a" });
  const workers = openWorkers({ url });
  await servers.join(DETAILS);
  const locking = await aConnection(url);
  await locking.query("begin; lock table agents");
  const lists = [servers, workers, servers, workers].map((each) => each.list());

  const began = performance.now();
  expect(await servers.beat()).toBeDefined();
  expect(await workers.beat("wrk-1", 1)).toBe(false);
  expect(performance.now() - began).toBeLessThan(2_000);

  await locking.query("rollback");
  await Promise.all(lists);
  await Promise.all([servers.close(), workers.close()]);
});
