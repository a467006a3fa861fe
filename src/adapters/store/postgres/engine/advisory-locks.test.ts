import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { aMigratedUrl } from "../../../../../test/kit/postgres/daemon-place.ts";
import { createDays } from "../transcript-days.ts";
import { ADVISORY_LOCKS, KEYED_LOCKS } from "./advisory-locks.ts";
import { createPool } from "./connect.ts";

const DAY_MS = 86_400_000;

test("every advisory lock has a number of its own", () => {
  const numbers = [...Object.values(ADVISORY_LOCKS), ...Object.values(KEYED_LOCKS)];
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("a server creates the partitions of transcripts while a migrate installs the job queues", async () => {
  const url = await aMigratedUrl();
  const migrating = new Client({ connectionString: url });
  await migrating.connect();
  const pool = createPool({ url, name: "test" }, 1);
  onTestFinished(async () => {
    await migrating.end();
    await pool.end();
  });
  await migrating.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.jobs]);

  expect(await createDays(pool, Date.now() + 10 * DAY_MS)).toBeUndefined();
});
