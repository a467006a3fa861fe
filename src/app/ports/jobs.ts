/** Each kind of job has a handler in `src/app/jobs/start-jobs.ts`. Stored, so a name stays. */
export const JOB_KINDS = ["agent_settled", "question_answered", "task_due"] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** Something that must be done after a commit; `id` says about what. */
export type Job = { readonly kind: JobKind; readonly id: string };

/** Must be idempotent: after a crash, and also if it takes long, a job runs again. */
export type RunJob = (job: Job) => Promise<void>;

/** Work that one server must do about every hour. Stored like the kinds of jobs. */
export type HourlyWork = "purge_history";

/** A job that failed too often, as it is stored: a newer server may know more kinds. */
export type DeadJob = {
  /** The id of the dead letter; one that is given up again gets another. */
  readonly id: string;
  readonly kind: string;
  /** What the job is about, such as the id of an agent. */
  readonly subjectId: string;
  readonly givenUpAt: number;
  readonly tries: number;
  /** The last error. Its text may come from outside. */
  readonly error: string;
};

export type DeadJobName = Pick<DeadJob, "kind" | "subjectId">;

/** Jobs that failed too often, by kind. A kind without any may be missing. */
export type DeadJobs = Readonly<Record<string, number>>;

/**
 * Runs each job after the commit that caused it, at least once, also if this process dies. A store
 * that several servers share stores the job in the transaction that emits its event
 * (`src/app/jobs/jobs-of-event.ts`). A store with one daemon stores none: its next start derives
 * from the rows what is due.
 */
export type Jobs = {
  /**
   * Begins to run jobs, also those that other servers have left. Returns a function that ends it:
   * no further job starts, and it resolves when those that run have ended.
   */
  start(run: RunJob): () => Promise<void>;
  /** Runs a job of a commit of this process at once; if it fails, again later. */
  runSoon(job: Job): void;
  /** Runs the work now and every hour, on one of the servers. Returns a function that ends it. */
  everyHour(name: HourlyWork, work: () => Promise<void>): () => void;
  /** Those of the last days that were not tried again. */
  countDead(): Promise<DeadJobs>;
  /** The same jobs, newest first. `retryDeadJobs` of a unit of work tries them again. */
  listDead(limit: number): Promise<readonly DeadJob[]>;
};
