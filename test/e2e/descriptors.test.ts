import { expect, test } from "vitest";
import { procfs } from "../../src/adapters/supervisor/processes/process-table.ts";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, command, until } from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";

const FILL = new URL("../kit/fill-descriptors.mjs", import.meta.url).href;

/** A daemon with a limit of open files, which uses them all up on SIGUSR2. */
function aTightPlace(openFiles: number) {
  return { ...aPlace({ NODE_OPTIONS: `--import ${FILL}` }), openFiles };
}

function launchersOf(daemon: number): number[] {
  const table = procfs.table();
  return [...table.values()].filter(({ parent }) => parent === daemon).map(({ pid }) => pid);
}

test("running agents survive a daemon without free file descriptors, and finish afterwards", async () => {
  const place = aTightPlace(256);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const gate = aGate(place);
  const prompt = `#rehearsal listen 1000\n#rehearsal ${gate.waits}`;
  const ids = await runAll(client, groupId, [{ prompt }, { prompt }, { prompt }]);
  const statuses = () => Promise.all(ids.map(async (id) => (await statusOf(client, id)).status));
  await until(async () => (await statuses()).every((status) => status === "running"));

  process.kill(daemon.pid, "SIGUSR2");
  await until(() => place.log().includes("descriptors filled: EMFILE"));
  const isSettled = async () => (await statuses()).some((status) => status !== "running");
  await until(async () => place.log().includes("ulimit -n") || (await isSettled()));
  expect(await statuses()).toEqual(ids.map(() => "running"));
  process.kill(daemon.pid, "SIGUSR2");
  gate.open();
  await waitForAll(client, ids);

  expect(await statuses()).toEqual(ids.map(() => "resultReported"));
  // One log line, however many checks failed.
  expect(place.log().match(/ulimit -n/g)).toHaveLength(1);
});

test("a launcher that cannot be started for lack of file descriptors is started once there are some", async () => {
  const place = aTightPlace(256);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  await waitForAll(client, await runAll(client, groupId, [{ prompt: "#rehearsal say hello" }]));
  process.kill(daemon.pid, "SIGUSR2");
  await until(() => place.log().includes("descriptors filled: EMFILE"));

  for (const pid of launchersOf(daemon.pid)) process.kill(pid, "SIGKILL");
  await until(
    () => /launcher.*ulimit -n/.test(place.log()),
    () => (daemon.process.exitCode === null ? undefined : `the daemon ended: ${place.log()}`),
  );
  process.kill(daemon.pid, "SIGUSR2");
  const ids = await runAll(client, groupId, [{ prompt: "#rehearsal say hello again" }]);
  await waitForAll(client, ids);

  expect((await statusOf(client, ids[0] ?? "")).status).toBe("resultReported");
});

test("a daemon with too few file descriptors refuses to start and says how many it needs", async () => {
  const place = { ...aPlace(), openFiles: 40 };

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toMatch(/40 open files.*at least \d+.*ulimit -n/s);
});
