import { Pool } from "pg";
import { PgBoss } from "pg-boss";
import { sleep } from "./stats.ts";

export type BareJobs = {
  readonly url: string;
  readonly jobs: number;
  readonly slots: number;
  readonly jobMs: number;
  /** A job is sent, fetched and completed; the other commits insert a row. */
  readonly commitsPerJob: number;
};

const QUEUE = "bare";
const CONNECTIONS = 10;
const OWN_COMMITS = 3;

/** pg-boss without our code: jobs that only wait, with as many commits as an agent has. */
export async function runBareJobs(options: BareJobs): Promise<void> {
  const pool = new Pool({ connectionString: options.url, max: CONNECTIONS });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "bare_jobs",
    supervise: false,
    schedule: false,
  });
  try {
    await boss.start();
    await boss.createQueue(QUEUE);
    await pool.query("create table if not exists bare_rows (n int)");
    await Promise.all(Array.from({ length: options.jobs }, () => boss.send(QUEUE)));
    await Promise.all(Array.from({ length: options.slots }, () => work(boss, pool, options)));
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

async function work(boss: PgBoss, pool: Pool, { jobMs, commitsPerJob }: BareJobs): Promise<void> {
  for (;;) {
    const [job] = await boss.fetch(QUEUE);
    if (!job) return;
    for (let commit = OWN_COMMITS; commit < commitsPerJob; commit++) {
      await pool.query("insert into bare_rows values (1)");
    }
    await sleep(jobMs);
    await boss.complete(QUEUE, job);
  }
}
