import type { Queue } from "pg-boss";

/** A schema of its own: pg-boss creates and upgrades its tables itself. */
export const JOBS_SCHEMA = "kuromajutsu_jobs";
/** The version of pg-boss's schema. It must be that of the package; a test compares them. */
export const JOBS_SCHEMA_VERSION = 43;
/**
 * The oldest release (`SCHEMA_RELEASE`) whose pg-boss can use this schema. Raise it together with
 * the version of the schema if the release before cannot: its servers then refuse to start.
 */
export const JOBS_OLDEST_RELEASE = 1;

/** The record of the schema among the migrations. */
export function jobsMigration(version: number): string {
  return `${JOBS_SCHEMA}-${version}`;
}

/** All kinds of jobs share a queue, so that one statement fetches what is due. */
export const REACTIONS = "reactions";
export const DEAD_LETTERS = "dead_letters";
export const HOURLY = "hourly";

/** The server that stores a job runs it at once; others wait this long before they do. */
export const HEAD_START_SECONDS = 3;

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const YEAR_SECONDS = 365 * DAY_SECONDS;
/** How long dead letters are counted. */
const DEAD_DAYS = 7;

/** The queue of dead letters is the first, because others refer to it. */
export const QUEUES: readonly Queue[] = [
  {
    name: DEAD_LETTERS,
    retentionSeconds: YEAR_SECONDS,
    deleteAfterSeconds: DEAD_DAYS * DAY_SECONDS,
  },
  {
    name: REACTIONS,
    deadLetter: DEAD_LETTERS,
    // The last tries are a minute apart.
    retryLimit: 8,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    // The time after which another server repeats what one has fetched. Jobs take milliseconds.
    expireInSeconds: 20,
    // No server may run for long.
    retentionSeconds: YEAR_SECONDS,
    deleteAfterSeconds: HOUR_SECONDS,
  },
  {
    name: HOURLY,
    // What fails is done in the next hour.
    retryLimit: 0,
    expireInSeconds: HOUR_SECONDS,
    retentionSeconds: HOUR_SECONDS,
    // A job keeps others of its hour away, also when it is done.
    deleteAfterSeconds: DAY_SECONDS,
  },
];
