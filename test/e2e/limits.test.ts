import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  until,
  withFakeCursor,
  type Daemon,
  type Place,
} from "../kit/daemon.ts";

const LIMITED = fileURLToPath(new URL("../kit/bin-limited", import.meta.url));

type LimitedPlace = Place & {
  /** From now on every run meets a limit that resets in so many seconds. */
  limit(seconds: number): void;
  unlimit(): void;
  /** The agents that Claude Code was started for. */
  started(): string[];
};

function aLimitedPlace(runner: string): LimitedPlace {
  const place = withFakeCursor(aPlace({ PATH: `${LIMITED}:/usr/bin:/bin` }));
  const file = join(place.dir, "limit");
  const log = join(place.dir, "started");
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    `agent:\n  runner: ${runner}\n  maxConcurrent: 1\n  env: [LIMIT_FILE, LIMIT_LOG]\nhealthCheck:\n  enabled: false\n`,
  );
  return {
    ...place,
    env: { ...place.env, LIMIT_FILE: file, LIMIT_LOG: log },
    limit: (seconds) => writeFileSync(file, `${Math.ceil(Date.now() / 1_000) + seconds}\n`),
    unlimit: () => rmSync(file),
    started: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

const health = z.object({
  problems: z
    .array(z.object({ runner: z.string(), kind: z.string(), until: z.string() }))
    .default([]),
});
const problemsOf = async ({ url }: Daemon) =>
  health.parse(await (await fetch(`${url}/api/health-check`)).json()).problems;

test("agents wait while the plan of their CLI is used up, over a killed daemon, and run after the reset", async () => {
  const place = aLimitedPlace("claude");
  place.limit(8);
  const first = await aDaemon(place);
  const client = await anHttpClient(first.url);
  const ids = await runAll(client, await aGroup(client), [{}, {}, {}]);
  await until(async () => (await problemsOf(first)).length > 0);

  for (const id of ids) {
    await until(async () => "waitingFor" in (await statusOf(client, id)));
    expect(await statusOf(client, id)).toMatchObject({
      status: "queued",
      waitingFor: expect.stringContaining("claude の利用枠が上限に達しています。"),
    });
  }
  place.unlimit();
  await first.kill("SIGKILL");
  const second = await aDaemon(place);
  expect(await problemsOf(second)).toMatchObject([{ runner: "claude", kind: "quota" }]);
  expect(place.started()).toEqual([ids[0]]);

  const later = await anHttpClient(second.url);
  await waitForAll(later, ids);
  for (const id of ids) {
    expect(await statusOf(later, id)).toMatchObject({ status: "completed" });
  }
  expect(place.started()).toEqual([ids[0], ...ids]);
  expect(await problemsOf(second)).toEqual([]);
});

test("a person ends the pause of a runner early", async () => {
  const place = aLimitedPlace("claude");
  place.limit(3_600);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const ids = await runAll(client, await aGroup(client), [{}]);
  await until(async () => (await problemsOf(daemon)).length > 0);
  place.unlimit();

  const tried = await fetch(`${daemon.url}/api/runners/claude/try`, {
    method: "POST",
    headers: { "x-kuromajutsu": "1" },
  });

  expect(tried.status).toBe(200);
  await waitForAll(client, ids);
  expect(place.started()).toEqual([...ids, ...ids]);
});

test("agents of a role with a fallback list move to the next CLI when the plan of the first is used up", async () => {
  const place = aLimitedPlace("[claude, cursor]");
  place.limit(3_600);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const warning = "claude is out of quota: ran with cursor.";

  const ids = await runAll(client, groupId, [{}, {}]);
  await waitForAll(client, ids);
  for (const id of ids) {
    expect(await statusOf(client, id)).toMatchObject({
      status: "completed",
      result: { status: "success", warnings: [warning] },
    });
  }
  expect(place.started()).toEqual([ids[0]]);
  const agents = [{ role: "impl-code", prompt: "やって" }];
  expect(await client.call("run_agents", { groupId, agents })).toMatchObject({
    agents: [{ status: "queued", warning }],
  });
});
