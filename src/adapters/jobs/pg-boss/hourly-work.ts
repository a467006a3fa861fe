import type { Job, PgBoss } from "pg-boss";
import type { Jobs } from "../../../app/ports/jobs.ts";
import type { Log } from "../../../app/ports/world.ts";
import { fieldsOf } from "../../../base/narrow.ts";
import { HOUR_MS } from "../hour.ts";
import { HOURLY } from "./queues.ts";

/**
 * Every server asks for the work, and pg-boss keeps one job for each hour of the clock. The server
 * that fetches it does it.
 */
export function createHourlyWork(boss: PgBoss, log: Log | undefined) {
  const works = new Map<string, () => Promise<void>>();

  async function look(): Promise<void> {
    if (works.size === 0) return;
    for (const fetched of await boss.fetch(HOURLY)) void perform(fetched);
  }
  /** The work reports its errors itself. It may take long, so a stop does not wait for it. */
  async function perform({ id, retryCount, data }: Job<unknown>): Promise<void> {
    await works.get(String(fieldsOf(data)["name"]))?.();
    await boss.complete(HOURLY, { id, retryCount }).catch(() => undefined);
  }
  async function ask(name: string): Promise<void> {
    try {
      const hour = { singletonKey: name, singletonSeconds: HOUR_MS / 1_000 };
      await boss.send(HOURLY, { name }, hour);
      await look();
    } catch (error) {
      log?.warn("Hourly work could not be asked for; trying again in an hour.", {
        name,
        error: String(error),
      });
    }
  }
  const begin: Jobs["everyHour"] = (name, work) => {
    works.set(name, work);
    void ask(name);
    const timer = setInterval(() => void ask(name), HOUR_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      works.delete(name);
    };
  };
  return { look, begin };
}
