import { mkdirSync, rmdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { ask, aServer, rowsOf, running, SETTINGS } from "../../kit/postgres/servers.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { aTempDir } from "../../kit/tmp-dir.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };
const agentShape = z.looseObject({ waitingFor: z.string().optional() });

/** Two servers that run no agents themselves, with a worker each. */
const theFleet = sharedByTests(async () => {
  const url = await aMigratedUrl();
  const [first, second] = [await aServer(url, ONLY_WORKERS), await aServer(url, ONLY_WORKERS)];
  await aWorker(first, { name: "build-1", slots: 1, labels: ["first"] });
  await aWorker(second, { name: "build-2", slots: 1, labels: ["second"] });
  return { url, first, second };
});

test("a request for a directory that no server and no worker has is refused, and nothing is queued", async () => {
  const { url, first, second } = await theFleet();
  const missing = `${aTempDir()}/mistyped`;

  for (const { main } of [first, second]) {
    const groupId = await aGroup(main);
    const agents = [{ role: "impl-code", prompt: "x", workingDirectory: missing }];
    const answer = await main.call("run_agents", { groupId, agents });
    expect(answer).toMatchObject({ code: "WORKING_DIRECTORY_NOT_FOUND" });
    expect(JSON.stringify(answer)).toContain(missing);
  }
  const json = { request: "x", workingDirectory: missing };
  const task = await ask(first, "POST", "/api/tasks", { json });
  expect(task.body).toMatchObject({ code: "WORKING_DIRECTORY_NOT_FOUND" });
  expect(await rowsOf(url, `select id from agents where working_directory = '${missing}'`)).toEqual(
    [],
  );
});

test("a queued agent whose directory is gone says at every server that no host has it, and starts when it is back", async () => {
  const { first, second } = await theFleet();
  const labels = ["first"];
  const { agentIds } = await running(first, [{ prompt: "#rehearsal hang", labels }]);
  const directory = aTempDir();
  const groupId = await aGroup(first.main);
  const spec = { prompt: "#rehearsal sleep 50", labels, workingDirectory: directory };
  const [waiting = ""] = await runAll(first.main, groupId, [spec]);
  const reasonAt = async ({ main }: typeof first) =>
    agentShape.parse(await statusOf(main, waiting)).waitingFor;
  expect([await reasonAt(first), await reasonAt(second)]).toEqual([undefined, undefined]);

  rmdirSync(directory);

  const sentence = `No connected server or worker with the label first has the directory ${directory}.`;
  for (const server of [first, second]) {
    await until(async () => (await reasonAt(server)) !== undefined);
    expect(await reasonAt(server)).toBe(sentence);
  }
  mkdirSync(directory);
  await first.main.call("cancel_agent", { agentId: agentIds[0] });
  await until(async () => (await statusOf(second.main, waiting)).status === "resultReported");
});
