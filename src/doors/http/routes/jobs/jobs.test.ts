import { expect, test } from "vitest";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../../../test/kit/people.ts";

const headers = (person: string) => ({
  authorization: `Bearer ${tokenOf(person)}`,
  "content-type": "application/json",
});

// With PostgreSQL: test/postgres/dead-jobs.test.ts.
test("with SQLite no job is given up: the list is empty, and there is none to try again", async () => {
  const core = await aCoreWithPeople({ vera: "viewer", oscar: "operator" });
  const { url } = await anHttpDoor(core);
  const retry = async (person: string, body: unknown) => {
    const request = { method: "POST", headers: headers(person), body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/jobs/retry`, request);
    return { status: response.status, answer: await response.json() };
  };

  const listed = await fetch(`${url}/api/jobs`, { headers: headers("vera") });
  expect(await listed.json()).toEqual({ jobs: [], total: 0 });
  expect(await retry("vera", {})).toMatchObject({ status: 403, answer: { code: "NOT_ALLOWED" } });
  expect(await retry("oscar", {})).toEqual({ status: 200, answer: { retried: 0 } });
  expect(await retry("oscar", { jobId: "none" })).toMatchObject({
    status: 404,
    answer: { code: "JOB_NOT_FOUND", detail: expect.stringContaining("none") },
  });
  const { entries } = await core.store.listAudit({ limit: 10 });
  expect(entries.filter(({ action }) => action === "job.retried")).toEqual([]);
});
