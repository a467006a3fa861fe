import { randomUUID } from "node:crypto";
import { Client } from "pg";

export type ADeadJob = {
  readonly kind: string;
  readonly id: string;
  readonly error: string;
  readonly minutesAgo?: number;
};

/** A dead letter as pg-boss stores it after the last try. Returns its id. Also for browser tests. */
export async function aDeadJob(
  url: string,
  { kind, id, error, minutesAgo = 0 }: ADeadJob,
): Promise<string> {
  const letter = randomUUID();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into kuromajutsu_jobs.job
         (id, name, data, created_on, source_name, source_id, source_retry_count, source_output)
       values ($1, 'dead_letters', $2, now() - $3 * interval '1 minute', 'reactions', $4, 8, $5)`,
      [
        letter,
        JSON.stringify({ kind, id }),
        minutesAgo,
        randomUUID(),
        JSON.stringify({ message: error }),
      ],
    );
  } finally {
    await client.end();
  }
  return letter;
}
