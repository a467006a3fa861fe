import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { command, until } from "../kit/daemon.ts";
import { type TestServer, twoServers } from "../kit/postgres/two-servers.ts";

const CONFIG = "agent:\n  runner: rehearsal\n";
/** The answer to monitors may be a second old. */
const LATER = { timeout: 5_000 };
const HEADERS = { "x-kuromajutsu": "1", "content-type": "application/json" };

const serversShape = z.object({
  servers: z.array(
    z.object({
      id: z.string(),
      url: z.string().nullable(),
      isThis: z.boolean(),
      isLeader: z.boolean(),
      agents: z.number(),
    }),
  ),
  sameConfiguration: z.boolean(),
});

async function get(server: TestServer, path: string): Promise<unknown> {
  return (await fetch(server.url + path)).json();
}

const serversOf = async (server: TestServer) =>
  serversShape.parse(await get(server, "/api/servers"));

test("every server lists all servers, one of which leads, and status names their number; servers with different configurations say so, and none of them edits its file", async () => {
  const { a, b } = await twoServers(CONFIG);
  await until(async () => {
    const { servers } = await serversOf(a);
    return servers.every(({ url }) => url !== null) && servers.some(({ isLeader }) => isLeader);
  });

  const { servers, sameConfiguration } = await serversOf(b);
  expect(sameConfiguration).toBe(true);
  expect(servers.map(({ url }) => url)).toEqual([a.url, b.url]);
  expect(servers.map(({ isThis }) => isThis)).toEqual([false, true]);
  expect(servers.filter(({ isLeader }) => isLeader)).toHaveLength(1);
  expect(await get(a, "/api/health/ready")).toMatchObject({
    ok: true,
    servers: { count: 2, sameConfiguration: true },
  });
  expect((await command(a.place, ["status"])).stdout).toContain("2, sharing one database");
  expect((await serversOf(a)).sameConfiguration).toBe(true);

  writeFileSync(
    join(b.place.dir, "kuromajutsu.config.yaml"),
    `${CONFIG}  maxConcurrent: 3\ndashboard:\n  port: 0\n`,
  );
  expect((await command(b.place, ["reload"])).code).toBe(0);

  await until(async () => !(await serversOf(a)).sameConfiguration);
  const edit = await fetch(`${a.url}/api/roles/research`, {
    method: "PUT",
    headers: HEADERS,
    body: JSON.stringify({ model: "another" }),
  });
  expect(edit.status).toBe(409);
  const refused = await edit.text();
  expect(refused).toContain("SEVERAL_SERVERS");
  expect(refused).toContain("2 servers share this database");

  await b.kill("SIGTERM");
  expect((await serversOf(a)).servers).toHaveLength(1);
  await expect.poll(() => get(a, "/api/health/ready"), LATER).not.toHaveProperty("servers");
});
