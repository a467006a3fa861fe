import { expect, onTestFinished, test } from "vitest";
import { aMigratedUrl } from "../../../../test/kit/postgres/daemon-place.ts";
import { rowsOf } from "../../../../test/kit/postgres/servers.ts";
import type { WorkerDetails } from "../../../domain/workers/worker.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { openWorkers } from "./workers.ts";

const LEASE_MS = 60_000;
const WORKER = { id: "wrk-1", name: "build-1", allowedLabels: null, createdAt: 1, createdBy: "me" };
const DETAILS: WorkerDetails = {
  host: "h",
  pid: 1,
  version: "1",
  slots: 1,
  labels: [],
  runners: [],
  isDraining: false,
};
const WHO = {
  instance: "instance",
  hasLease: false,
  serverId: "srv-1",
  serverProcess: "process",
};

/** A worker that was not seen for long; no server has ended its lease yet. */
async function anUnseenWorker() {
  const url = await aMigratedUrl();
  const workers = openWorkers({ url });
  onTestFinished(() => workers.close());
  await workers.add(WORKER, "hash");
  const hello = (who = WHO) => workers.admit(WORKER.id, who, DETAILS, LEASE_MS);
  expect(await hello()).toMatchObject({ kind: "admitted" });
  await rowsOf(url, "update workers set seen = now() - interval '1 hour'");
  return { url, workers, hello };
}

/** A worker whose lease has ended. */
async function aLostWorker() {
  const unseen = await anUnseenWorker();
  await unseen.workers.endExpired(Date.now() - LEASE_MS);
  return unseen;
}

test("after an outage a worker that kept its lease is admitted, unless a server has ended it", async () => {
  const { url, workers, hello } = await anUnseenWorker();

  expect(await hello({ ...WHO, hasLease: true })).toEqual({
    kind: "admitted",
    epoch: 2,
    isMoved: false,
  });

  await rowsOf(url, "update workers set seen = now() - interval '1 hour'");
  await workers.endExpired(Date.now() - LEASE_MS);
  expect(await hello({ ...WHO, hasLease: true })).toEqual({ kind: "ended" });
});

test("an old lease ends when a worker says hello that has not kept it, or has another data directory", async () => {
  const restarted = await anUnseenWorker();
  expect(await restarted.hello()).toEqual({ kind: "ended" });

  const other = await anUnseenWorker();
  expect(await other.hello({ ...WHO, hasLease: true, instance: "another" })).toEqual({
    kind: "ended",
  });
});

test("workers are listed while the lease of one has ended", async () => {
  const { workers } = await aLostWorker();
  expect(await workers.list()).toMatchObject([{ name: "build-1", state: "lost", seenMsAgo: null }]);
});

test("a worker that says hello again does not take the clean-up from the server that does it", async () => {
  const { workers, hello } = await aLostWorker();
  expect(await workers.claimEnded()).toBe(WORKER.id);

  expect(await hello()).toEqual({ kind: "ended" });
  expect(await workers.claimEnded()).toBeUndefined();

  await workers.forget(WORKER.id);
  expect(await hello()).toMatchObject({ kind: "admitted" });
});

test("a worker is not admitted before a change of its clean-up is committed, and none is made later", async () => {
  const { url, workers, hello } = await aLostWorker();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  let admitted: Promise<unknown> | undefined;
  const order: string[] = [];

  await store.transaction(async (unit) => {
    expect(await unit.holdEnd("workers", WORKER.id)).toBe(true);
    await workers.forget(WORKER.id);
    admitted = hello().then(() => order.push("admitted"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    order.push("changed");
  });
  await admitted;

  expect(order).toEqual(["changed", "admitted"]);
  expect(await store.transaction((unit) => unit.holdEnd("workers", WORKER.id))).toBe(false);
});
