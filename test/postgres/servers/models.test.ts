import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, statusOf, waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { roleWith, withModel } from "../../kit/listed-model.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import { rowsOf, SETTINGS, startAgain } from "../../kit/postgres/servers.ts";

const CONFIG = {
  ...SETTINGS,
  agent: { ...SETTINGS.agent, runner: "cursor" },
  healthCheck: { enabled: true },
  roles: [
    roleWith("of-b", "b-1"),
    roleWith("nowhere", "other-1"),
    { ...roleWith("held", "a-1"), labels: ["gpu"] },
  ],
};

test("an agent runs on the server whose CLI lists its model, and is not left for ever if none does", async () => {
  const url = await aMigratedUrl();
  const start = (model: string) => {
    const place = aPlaceOn(url);
    writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(CONFIG));
    return startAgain(withModel(place, model));
  };
  const [a, b] = [await start("a-1"), await start("b-1")];
  const details = "select details::text as details from servers order by started_at";
  await until(async () => /a-1.+b-1/.test(JSON.stringify(await rowsOf(url, details))));
  // A server may know for a second only what it has read before.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const groupId = await aGroup(a.main);

  const there = await runAll(a.main, groupId, [{ role: "of-b" }]);
  await waitForAll(a.main, there);
  expect(await rowsOf(url, "select worker_id, model, status from agents")).toEqual([
    { worker_id: b.id, model: "b-1", status: "completed" },
  ]);
  await expect(runAll(a.main, groupId, [{ role: "nowhere" }])).rejects.toThrow(
    "Set the role's model to one of: a-1, b-1",
  );

  // No server has its label. Then the hosts that had the model are gone.
  const held = await runAll(a.main, groupId, [{ role: "held" }]);
  expect(await statusOf(a.main, held[0] ?? "")).toMatchObject({ status: "queued" });
  await rowsOf(url, "update agents set model = 'other-1', labels = '[]' where role = 'held'");
  await waitForAll(a.main, held);
});
