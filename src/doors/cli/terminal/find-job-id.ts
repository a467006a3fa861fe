/** The beginning of an id that `kuromajutsu jobs` shows. */
export const SHOWN_ID = 8;
const WHOLE_ID = 36;

export type ListedJobs = {
  readonly jobs: readonly { readonly jobId: string }[];
  /** Also those that the list leaves out. */
  readonly total: number;
};

/**
 * The id of the job that a person means by the beginning of one; itself if no job has it, and the
 * server refuses it. "not_listed": a job that the list leaves out may be meant.
 */
export function findJobId(
  { jobs, total }: ListedJobs,
  start: string,
): { readonly id: string } | "unclear" | "not_listed" {
  const [found, ...others] = jobs.filter(({ jobId }) => jobId.startsWith(start));
  if (start === "" || others.length > 0) return "unclear";
  const mayBeLeftOut = total > jobs.length && start.length < WHOLE_ID;
  // A few characters may also begin the id of a job that is not in the list.
  if (mayBeLeftOut && (!found || start.length < SHOWN_ID)) return "not_listed";
  return { id: found?.jobId ?? start };
}
