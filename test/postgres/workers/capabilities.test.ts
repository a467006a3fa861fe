import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, waitForAll } from "../../kit/agents.ts";
import { until, withFakeCursor } from "../../kit/daemon.ts";
import { roleWith, withModel } from "../../kit/listed-model.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import { ask, aServer, rowsOf, SETTINGS, startAgain } from "../../kit/postgres/servers.ts";
import { aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";

const workersShape = z.object({
  workers: z.array(
    z.object({
      name: z.string(),
      runners: z.array(z.string()),
      runnerVersions: z.record(z.string(), z.string()),
    }),
  ),
});

test("every server shows the versions of the CLIs that a worker has", async () => {
  const url = await aMigratedUrl();
  const [first, second] = [await aServer(url), await aServer(url)];
  const { id, place } = await aWorkerPlace(first, "build-1");
  await startWorker(first, withFakeCursor(place), id, { name: "build-1" });
  const workerAt = async (server: typeof first) => {
    const { body } = await ask(server, "GET", "/api/workers");
    return workersShape.parse(body).workers[0];
  };

  expect((await workerAt(second))?.runners).toContain("cursor");
  for (const server of [first, second]) {
    await until(async () => (await workerAt(server))?.runnerVersions["cursor"] !== undefined);
    expect((await workerAt(server))?.runnerVersions["cursor"]).toBe("2026.09.18-fake");
  }
});

test("an agent whose model only the CLI of a worker lists runs there, and a model that no host lists is refused", async () => {
  const url = await aMigratedUrl();
  const place = aPlaceOn(url);
  const config = {
    ...SETTINGS,
    agent: { ...SETTINGS.agent, runner: "cursor" },
    healthCheck: { enabled: true },
    roles: [roleWith("there", "worker-1"), roleWith("nowhere", "other-1")],
  };
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(config));
  const server = await startAgain(withModel(place, "server-1"));
  const one = await aWorkerPlace(server, "build-1");
  await startWorker(server, withModel(one.place, "worker-1"), one.id, { name: "build-1" });
  const groupId = await aGroup(server.main);
  await until(async () => {
    const rows = await rowsOf(url, "select details::text as details from workers");
    return JSON.stringify(rows).includes("worker-1");
  });
  // A server may know for a second only what it has read before.
  await new Promise((resolve) => setTimeout(resolve, 1_100));

  const ids = await runAll(server.main, groupId, [{ role: "there" }]);
  await waitForAll(server.main, ids);

  expect(await rowsOf(url, "select worker_id, model, status from agents")).toEqual([
    { worker_id: one.id, model: "worker-1", status: "completed" },
  ]);
  await expect(runAll(server.main, groupId, [{ role: "nowhere" }])).rejects.toThrow(
    "Set the role's model to one of: server-1, worker-1",
  );
});
