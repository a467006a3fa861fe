import type { Job } from "../../../app/ports/jobs.ts";
import { keyOf, type StoredJob } from "./stored-jobs.ts";

/** Rows of jobs that this process has committed and not done yet, so that it can complete them. */
export function createOwnJobs() {
  const waiting = new Map<string, string[]>();
  const running = new Set<string>();
  return {
    add(stored: readonly StoredJob[]): void {
      for (const { id, job } of stored) {
        const key = keyOf(job);
        waiting.set(key, [...(waiting.get(key) ?? []), id]);
      }
    },
    /** The rows that a run which begins now does. */
    begin(job: Job): readonly string[] {
      const ids = waiting.get(keyOf(job)) ?? [];
      waiting.delete(keyOf(job));
      for (const id of ids) running.add(id);
      return ids;
    },
    end(ids: readonly string[]): void {
      for (const id of ids) running.delete(id);
    },
    isRunning: (id: string): boolean => running.has(id),
  };
}
