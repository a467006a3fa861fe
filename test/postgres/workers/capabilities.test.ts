import { expect, test } from "vitest";
import { z } from "zod";
import { until, withFakeCursor } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { ask, aServer } from "../../kit/postgres/servers.ts";
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
