import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/adapters/store/postgres/postgres-store.ts";
import { retryDeadJobs } from "../../src/app/jobs/retry-dead-jobs.ts";
import { listDeadJobs } from "../../src/contract/routes/jobs.ts";
import { anHttpDoor } from "../kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../kit/people.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { aDeadJob } from "../kit/postgres/dead-jobs.ts";

const PEOPLE = { alice: "admin", oscar: "operator", vera: "viewer" } as const;
type Name = keyof typeof PEOPLE;

const headers = (person: Name) => ({
  authorization: `Bearer ${tokenOf(person)}`,
  "content-type": "application/json",
});

async function aDoorOn(database: string) {
  const store = await openPostgresStore({ url: database });
  onTestFinished(() => store.close());
  const core = await aCoreWithPeople(PEOPLE, { store, serverId: "srv-a" });
  const { url } = await anHttpDoor(core);
  const list = async (query = "") => {
    const response = await fetch(`${url}/api/jobs${query}`, { headers: headers("vera") });
    return listDeadJobs.answer.parse(await response.json());
  };
  const retry = async (person: Name, jobId?: string) => {
    const body = JSON.stringify({ jobId });
    const request = { method: "POST", headers: headers(person), body };
    const response = await fetch(`${url}/api/jobs/retry`, request);
    return { status: response.status, answer: await response.json() };
  };
  return { core, list, retry };
}

test("jobs that were given up are listed with a cleaned error, and people try one again, then all of them", async () => {
  const url = await aMigratedUrl();
  const { core, list, retry } = await aDoorOn(url);
  const hostile = `\u001b[31mno\u202e room\u0007 ${"x".repeat(5_000)}`;
  const one = await aDeadJob(url, { kind: "agent_settled", id: "impl-code-1-a", error: hostile });
  await aDeadJob(url, { kind: "task_due", id: "task-1", error: "down", minutesAgo: 3 });
  await aDeadJob(url, { kind: "task_due", id: "task-2", error: "down", minutesAgo: 5 });

  const { jobs, total } = await list("?limit=2");
  expect(total).toBe(3);
  expect(jobs).toMatchObject([
    { jobId: one, kind: "agent_settled", subjectId: "impl-code-1-a", tries: 9 },
    { kind: "task_due", subjectId: "task-1", error: "down" },
  ]);
  expect(jobs[0]?.error).toMatch(/^no room x+…$/);
  expect(jobs[0]?.error).toHaveLength(501);

  const byClient = retryDeadJobs(core, { kind: "client" });
  await expect(byClient).rejects.toMatchObject({ code: "PERSON_NEEDED" });
  expect(await retry("vera", one)).toMatchObject({ status: 403, answer: { code: "NOT_ALLOWED" } });
  expect(await retry("oscar", one)).toEqual({ status: 200, answer: { retried: 1 } });
  expect(await retry("oscar", one)).toMatchObject({
    status: 404,
    answer: { code: "JOB_NOT_FOUND" },
  });
  expect(await retry("alice")).toEqual({ status: 200, answer: { retried: 2 } });
  expect(await list()).toEqual({ jobs: [], total: 0 });

  const { entries } = await core.store.listAudit({ limit: 10 });
  expect(entries.filter(({ action }) => action === "job.retried")).toMatchObject([
    { actor: "alice", subject: "all", data: { count: 2 } },
    { actor: "oscar", subject: one, data: { count: 1, jobs: ["agent_settled impl-code-1-a"] } },
  ]);
});
