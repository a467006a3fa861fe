import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../../kit/agents.ts";
import { type Place, type TestClient, until, withFakeCursor } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { ask, aServer, rowsOf, SETTINGS } from "../../kit/postgres/servers.ts";
import { aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";

const CONFIG = {
  ...SETTINGS,
  server: { slots: 0 },
  agent: { ...SETTINGS.agent, runner: "cursor" },
};
const workersShape = z.object({
  workers: z.array(
    z.object({ name: z.string(), runnerProblems: z.record(z.string(), z.string()) }),
  ),
});

/** A Cursor CLI that says that it is signed out, as soon as the file `go` exists. */
function withSignedOutCursor(place: Place) {
  const bin = join(place.dir, "bin");
  const [go, log] = [join(place.dir, "go"), join(place.dir, "started")];
  mkdirSync(bin);
  writeFileSync(
    join(bin, "agent"),
    `#!/bin/sh
[ "$1" != --version ] || { echo 2026.09.18-fake; exit 0; }
[ "$1" != models ] || exit 1
echo "$KUROMAJUTSU_AGENT_ID" >>'${log}'
while [ ! -e '${go}' ]; do sleep 0.1; done
echo 'Error: Authentication required. Run agent login.' >&2
exit 1
`,
    { mode: 0o755 },
  );
  return {
    place: { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } },
    go: () => writeFileSync(go, ""),
    started: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

/** A server may know for a second only the workers that it has read before. */
async function runSoon(main: TestClient): Promise<string> {
  const groupId = await aGroup(main);
  let ids: readonly string[] = [];
  await until(async () => {
    ids = await runAll(main, groupId, [{}]).catch(() => []);
    return ids.length > 0;
  });
  return ids[0] ?? "";
}

test("an agent whose CLI is signed out on its worker runs on another one, and the first gets no more of them", async () => {
  const url = await aMigratedUrl();
  const [first, second] = [await aServer(url, CONFIG), await aServer(url, CONFIG)];
  const one = await aWorkerPlace(first, "build-1");
  const cli = withSignedOutCursor(one.place);
  await startWorker(first, cli.place, one.id, { name: "build-1" });
  const moved = await runSoon(first.main);
  await until(() => cli.started().length > 0);
  // At another server, which knows of the sign-out only from the database.
  const two = await aWorkerPlace(second, "build-2");
  await startWorker(second, withFakeCursor(two.place), two.id, { name: "build-2", slots: 1 });

  cli.go();
  await waitForAll(first.main, [moved]);

  expect(await statusOf(first.main, moved)).toMatchObject({
    status: "completed",
    result: {
      status: "success",
      warnings: expect.arrayContaining([
        "cursor is signed out on the worker build-1, so it was started on another host.",
      ]),
    },
  });
  const more = await runAll(second.main, await aGroup(second.main), [{}, {}, {}]);
  await waitForAll(second.main, more);
  expect(cli.started()).toEqual([moved]);
  const ran = await rowsOf(url, "select distinct worker_id, status from agents");
  expect(ran).toEqual([{ worker_id: two.id, status: "completed" }]);
  for (const server of [first, second]) {
    const { body } = await ask(server, "GET", "/api/workers");
    expect(workersShape.parse(body).workers).toEqual([
      { name: "build-1", runnerProblems: { cursor: "signed-out" } },
      { name: "build-2", runnerProblems: {} },
    ]);
  }
});

test("an agent fails where its CLI is signed out if no other host has the CLI, and its result names the worker", async () => {
  const server = await aServer(await aMigratedUrl(), CONFIG);
  const { id, place } = await aWorkerPlace(server, "build-1");
  const cli = withSignedOutCursor(place);
  await startWorker(server, cli.place, id, { name: "build-1" });
  cli.go();
  const agentId = await runSoon(server.main);

  await waitForAll(server.main, [agentId]);

  expect(await statusOf(server.main, agentId)).toMatchObject({
    status: "failed",
    result: { errorMessage: expect.stringMatching(/agent login.+\(on the worker build-1\)$/s) },
  });
  expect(cli.started()).toEqual([agentId]);
});
