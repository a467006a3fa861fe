import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/adapters/store/postgres/postgres-store.ts";
import { startDueSchedules } from "../../src/app/schedules/start-due-schedules.ts";
import { NOON } from "../kit/builders.ts";
import { aCore } from "../kit/core.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { aSchedule } from "../kit/schedules.ts";

const SCHEDULES = 20;

test("two servers that find the same schedules due start each of them once", async () => {
  const url = await aMigratedUrl();
  const cores = [];
  for (const serverId of ["a", "b"]) {
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    cores.push(
      await aCore({
        store,
        serverId,
        hex: () => serverId.repeat(4) + String(Math.random()).slice(2, 8),
      }),
    );
  }
  const [first] = cores;
  await first?.store.transaction(async (unit) => {
    for (let n = 0; n < SCHEDULES; n++) {
      await unit.insertSchedule(aSchedule({ id: `sch-${n}`, nextAt: NOON, overlap: "allow" }));
    }
  });

  // A server that loses a race reads the schedule again in its next round.
  for (let round = 0; round < 3; round++) await Promise.all(cores.map(startDueSchedules));

  const tasks = (await first?.store.listTasks({ limit: 200 }))?.tasks ?? [];
  expect(tasks).toHaveLength(SCHEDULES);
  expect(new Set(tasks.map(({ scheduleId }) => scheduleId)).size).toBe(SCHEDULES);
});
