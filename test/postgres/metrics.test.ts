import { expect, test } from "vitest";
import { until } from "../kit/daemon.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { aServer, running } from "../kit/postgres/servers.ts";
import { metricsAt, type Samples } from "../kit/prometheus.ts";

const ALIVE = 'kuromajutsu_agents{state="alive",runner="rehearsal"}';

function sum(pages: readonly Samples[], name: string): number {
  return pages.reduce((total, samples) => total + (samples.get(name) ?? Number.NaN), 0);
}

test("two servers have the same metrics of the database, and one of them leads", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const b = await aServer(url);
  await running(a, [{ prompt: "#rehearsal hang" }]);
  const both = () => Promise.all([metricsAt(a.url), metricsAt(b.url)]);

  await until(async () => sum(await both(), ALIVE) === 2);
  await until(async () => sum(await both(), "kuromajutsu_server_leader") === 1);
  const pages = await both();
  expect(pages.map((samples) => samples.get("kuromajutsu_servers"))).toEqual([2, 2]);
  for (const samples of pages) {
    expect(samples.get("kuromajutsu_database_connections_max")).toBe(10);
    expect(samples.get("kuromajutsu_database_queries_waiting")).toBe(0);
    const idle = samples.get('kuromajutsu_database_connections{state="idle"}') ?? 0;
    const busy = samples.get('kuromajutsu_database_connections{state="busy"}') ?? 0;
    expect(idle + busy).toBeGreaterThan(0);
    expect(idle + busy).toBeLessThanOrEqual(10);
  }

  await b.daemon.kill("SIGKILL");
  await until(async () => (await metricsAt(a.url)).get("kuromajutsu_servers") === 1);
});
