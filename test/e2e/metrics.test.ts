import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, until } from "../kit/daemon.ts";
import { metricsAt } from "../kit/prometheus.ts";

const SETTINGS = {
  agent: { runner: "rehearsal", maxConcurrent: 1, lingerAfterEnd_ms: 300 },
  healthCheck: { enabled: false },
};

test("the metrics of a daemon follow its agents from waiting to their end", async () => {
  const place = aPlace({ NODE_DEBUG: "esm" });
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(SETTINGS));
  const { url } = await aDaemon(place);
  const agents = async (state: string) =>
    (await metricsAt(url)).get(`kuromajutsu_agents{state="${state}",runner="rehearsal"}`);
  expect(place.log()).toMatch(/http-door/);
  expect(place.log()).not.toMatch(/prometheus-page/);
  expect(await agents("alive")).toBe(0);
  await until(() => place.log().includes("prometheus-page"));
  expect((await metricsAt(url)).get('kuromajutsu_agent_slots{kind="worker"}')).toBe(1);
  const main = await anHttpClient(url);
  const groupId = await aGroup(main);

  const [first = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  const [second = ""] = await runAll(main, groupId, [{ prompt: "#rehearsal hang" }]);
  await until(async () => (await agents("alive")) === 1);
  expect(await agents("waiting")).toBe(1);
  await until(
    async () => ((await metricsAt(url)).get("kuromajutsu_agent_queue_age_seconds") ?? 0) > 0,
  );

  for (const agentId of [second, first]) await main.call("cancel_agent", { agentId });
  await waitForAll(main, [first, second]);
  await until(async () => (await agents("alive")) === 0 && (await agents("waiting")) === 0);
  const samples = await metricsAt(url);
  expect(samples.get("kuromajutsu_agent_queue_age_seconds")).toBe(0);
  // Only PostgreSQL has a pool of connections.
  expect([...samples.keys()].filter((name) => name.includes("_database_"))).toEqual([]);
});
