import { Refusal } from "../../domain/refusal.ts";
import type { Schedule } from "../../domain/schedules/schedule.ts";
import type { ScheduleQueries } from "../ports/schedule-store.ts";

export async function requireSchedule(
  queries: Pick<ScheduleQueries, "getSchedule">,
  id: string,
): Promise<Schedule> {
  const schedule = await queries.getSchedule(id);
  if (schedule) return schedule;
  throw new Refusal("SCHEDULE_NOT_FOUND", {
    en: [`There is no schedule ${id}.`, "`kuromajutsu schedule list` lists all."],
    ja: [`スケジュール ${id} はありません。`, "一覧は `kuromajutsu schedule list` で見られます。"],
  });
}

/** Refuses a change of a version that the caller has not seen. */
export function requireVersion({ id, version }: Schedule, seen: number | undefined): void {
  if (seen === undefined || seen === version) return;
  throw new Refusal("VERSION_CONFLICT", {
    en: [`Schedule ${id} has changed since version ${seen}.`, "Read it again and decide again."],
    ja: [
      `スケジュール ${id} は、バージョン ${seen} のあとに変わりました。`,
      "読み直してから、もう一度決めてください。",
    ],
  });
}
