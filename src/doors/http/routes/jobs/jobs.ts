import { listDeadJobs } from "../../../../app/jobs/list-dead-jobs.ts";
import { retryDeadJobs } from "../../../../app/jobs/retry-dead-jobs.ts";
import type { DeadJob } from "../../../../app/ports/jobs.ts";
import * as contract from "../../../../contract/routes/jobs.ts";
import type { WireDeadJob } from "../../../../contract/shapes/dead-job.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { defineRoute } from "../../define-route.ts";

export const JOB_ROUTES = [
  defineRoute(contract.listDeadJobs, {
    async run(core, { query: { limit } }) {
      const { jobs, total } = await listDeadJobs(core, limit);
      return { jobs: jobs.map(wireDeadJob), total };
    },
  }),
  defineRoute(contract.retryDeadJobs, {
    run: async (core, { body }, identity) => ({
      retried: await retryDeadJobs(core, identity, body?.jobId),
    }),
  }),
];

function wireDeadJob({ id, givenUpAt, ...job }: DeadJob): WireDeadJob {
  return { jobId: id, ...job, givenUpAt: iso(givenUpAt) };
}
