import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, until } from "../../kit/daemon.ts";
import { tokenOf } from "../../kit/people.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  ask,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { withMore } from "../../kit/rounds.ts";

/** Longer than a person stays signed in. */
const SHIFT_MS = 40 * 86_400_000;
const SHIFTED_CLOCK = fileURLToPath(new URL("../../kit/shifted-clock.mjs", import.meta.url));
const HOUR_MS = 3_600_000;
/** Smaller differences of clocks are not corrected. */
const TOLERANCE_MS = 500;
const CONFIG = {
  ...SETTINGS,
  tasks: { approvalExpiry_ms: 12 * HOUR_MS },
  auth: {
    users: [
      {
        id: "aoi",
        role: "admin",
        tokenHash: createHash("sha256").update(tokenOf("aoi")).digest("hex"),
      },
    ],
  },
};
const WARNING = "The clock of this host is wrong";

async function aServerOff(database: string, shiftMs: number) {
  const place = aPlaceOn(
    database,
    shiftMs === 0
      ? {}
      : { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, SHIFTED_CLOCK_MS: String(shiftMs) },
  );
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(CONFIG));
  return { ...(await aDaemon(place)), place };
}

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "x-kuromajutsu": "1", "content-type": "application/json" },
    body: JSON.stringify({ token: tokenOf("aoi") }),
  });
  const { sessionKey } = z.object({ sessionKey: z.string() }).parse(await response.json());
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return { cookie, "x-kuromajutsu-session": sessionKey };
}

const createdShape = z.object({ taskId: z.string() });
const serversShape = z.object({ servers: z.array(z.object({ clockAhead_ms: z.number() })) });
const scheduleShape = z.object({ scheduleId: z.string() });

test.for(withMore([], [SHIFT_MS, -SHIFT_MS]))(
  "a server whose clock is %i ms ahead uses the time of the database for approvals, schedules, sign-ins and events, and warns",
  async (shiftMs) => {
    const database = await aMigratedUrl();
    const right = await aServerOff(database, 0);
    const headers = await signIn(right.url);
    const { body: task } = await ask(right, "POST", "/api/tasks", {
      json: { text: "Count the overtime of September" },
      headers,
    });
    const { taskId } = createdShape.parse(task);
    const approvals = () =>
      rowsOf(database, `select status from approvals where task_id = '${taskId}'`);
    await until(async () => (await approvals()).length === 1);
    const add = async (server: { url: string }, cron: string) => {
      const json = { text: "Sum up the day", cron, missed: "run-all", overlap: "allow" };
      const { body } = await ask(server, "POST", "/api/schedules", { json, headers });
      return scheduleShape.parse(body).scheduleId;
    };
    const soon = new Date(Date.now() + 2 * HOUR_MS).getUTCHours();
    const hourly = await add(right, `0 ${soon} * * *`);

    const wrong = await aServerOff(database, shiftMs);
    // A session of the other server, and a new one.
    for (const session of [headers, await signIn(wrong.url)]) {
      expect((await ask(wrong, "GET", "/api/me", { headers: session })).status).toBe(200);
    }
    const before = Date.now();
    for (const [server, description] of [
      [right, "first"],
      [wrong, "second"],
      [right, "third"],
    ] as const) {
      await ask(server, "POST", "/api/groups", { json: { description }, headers });
      await sleep(TOLERANCE_MS);
    }
    const groups = await rowsOf(
      database,
      "select description from groups order by created_at, seq",
    );
    expect(groups.slice(-3).map((row) => row["description"])).toEqual(["first", "second", "third"]);
    const events = await rowsOf(database, "select at from events where type = 'group:created'");
    for (const { at } of events.slice(-3)) {
      expect(Math.abs(Number(at) - before)).toBeLessThan(30_000);
    }

    const clocks = async () => {
      const { body } = await ask(right, "GET", "/api/servers", { headers });
      return serversShape.parse(body).servers.map(({ clockAhead_ms }) => clockAhead_ms);
    };
    await until(async () => (await clocks()).includes(shiftMs));
    expect(await clocks()).toEqual([0, shiftMs]);

    // From here on only the server with the wrong clock decides what is due.
    await right.kill("SIGTERM");
    const everyMinute = await add(wrong, "* * * * *");
    const started = () =>
      rowsOf(
        database,
        `select planned_at, at from schedule_runs where schedule_id = '${everyMinute}' order by planned_at`,
      );
    await until(async () => (await started()).length > 0, undefined, 90_000);
    const [run] = await started();
    expect(Number(run?.["at"]) - Number(run?.["planned_at"])).toBeLessThan(10_000);
    expect(Math.abs(Number(run?.["planned_at"]) - Date.now())).toBeLessThan(90_000);
    await sleep(LEASE_MS);

    expect(await approvals()).toEqual([{ status: "pending" }]);
    expect(
      await rowsOf(database, `select 1 from schedule_runs where schedule_id = '${hourly}'`),
    ).toEqual([]);
    expect(right.place.log()).not.toContain(WARNING);
    expect(wrong.place.log().split(WARNING)).toHaveLength(2);
  },
);

/** For the servers it is the same whether the clock is set or every time in their rows. */
const setClockOfDatabase = (database: string, by: string) =>
  rowsOf(
    database,
    `with
      a as (update servers set seen = seen - interval '${by}'),
      b as (update workers set seen = seen - interval '${by}')
    update leader set until = until - interval '${by}'`,
  );

test.for(withMore(["1 hour"], ["-1 hour"]))(
  "a clock of the database that jumps by %s ends no lease, and a server that dies later is noticed",
  async (jump) => {
    const database = await aMigratedUrl();
    const a = await aServer(database, { ...SETTINGS, server: { labels: ["host:a"] } });
    const b = await aServer(database, { ...SETTINGS, server: { labels: ["host:b"] } });
    await aWorker(b, { name: "build-1", labels: ["host:worker"], others: [a] });
    const ofA = await running(a, [{ prompt: "#rehearsal hang", labels: ["host:a"] }]);
    const ofWorker = await running(b, [{ prompt: "#rehearsal hang", labels: ["host:worker"] }]);
    const agentIds = [...ofA.agentIds, ...ofWorker.agentIds];
    // Servers end leases only after they had no gap for the time of one.
    await sleep(2 * LEASE_MS);

    await setClockOfDatabase(database, jump);
    await sleep(3 * LEASE_MS);

    expect((await agentRows(database)).map(({ status }) => status)).toEqual(["running", "running"]);
    expect(agentIds.map(isAlive)).toEqual([true, true]);
    for (const { place } of [a, b]) expect(place.log()).not.toContain("took over");
    await a.daemon.kill("SIGKILL");
    await until(async () => (await agentRows(database))[0]?.status === "lost");
    const leaders = "select 1 from leader where until > now() and server_id = ";
    await until(async () => (await rowsOf(database, `${leaders}'${b.id}'`)).length === 1);
    expect((await agentRows(database))[1]?.status).toBe("running");
  },
);
