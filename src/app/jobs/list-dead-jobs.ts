import { truncate } from "../../base/truncate.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import type { Core } from "../core.ts";
import type { DeadJob } from "../ports/jobs.ts";

const NAME_CHARS = 200;
const ERROR_CHARS = 500;

export type DeadJobList = {
  /** Newest first. */
  readonly jobs: readonly DeadJob[];
  /** Also those that the limit leaves out. */
  readonly total: number;
};

/** The jobs that were given up. Their texts are foreign: an error may quote what an agent wrote. */
export async function listDeadJobs(
  { jobs }: Pick<Core, "jobs">,
  limit: number,
): Promise<DeadJobList> {
  const found = await jobs.listDead(limit);
  return {
    jobs: found.map((job) => ({
      ...job,
      kind: clean(job.kind, NAME_CHARS),
      subjectId: clean(job.subjectId, NAME_CHARS),
      error: clean(job.error, ERROR_CHARS),
    })),
    total: Math.max(found.length, await countDeadJobs({ jobs })),
  };
}

export async function countDeadJobs({ jobs }: Pick<Core, "jobs">): Promise<number> {
  return Object.values(await jobs.countDead()).reduce((sum, count) => sum + count, 0);
}

function clean(text: string, maxChars: number): string {
  // Cut before and after: cleaning a text of megabytes takes long, and it may become shorter.
  return truncate(plainText(truncate(text, 2 * maxChars)).trim(), maxChars);
}
