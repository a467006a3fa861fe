import type { ScheduleChanges, ScheduleQueries } from "../../../../app/ports/schedule-store.ts";
import {
  getScheduleRun,
  insertScheduleRun,
  listLastScheduleRuns,
  listScheduleRuns,
  updateScheduleRun,
} from "../schedules/schedule-runs.ts";
import {
  countOpenTasksOfSchedule,
  deleteSchedule,
  getSchedule,
  insertSchedule,
  listSchedules,
  nextScheduleDue,
  updateSchedule,
} from "../schedules/schedules.ts";
import type { Run } from "./queries.ts";

export function createScheduleQueries(run: Run): ScheduleQueries {
  return {
    getSchedule: (id) => run((db) => getSchedule(db, id)),
    listSchedules: () => run(listSchedules),
    nextScheduleDue: () => run(nextScheduleDue),
    listScheduleRuns: (query) => run((db) => listScheduleRuns(db, query)),
    listLastScheduleRuns: () => run(listLastScheduleRuns),
    getScheduleRun: (id, plannedAt) => run((db) => getScheduleRun(db, id, plannedAt)),
    countOpenTasksOfSchedule: (id) => run((db) => countOpenTasksOfSchedule(db, id)),
  };
}

export function createScheduleChanges(run: Run): ScheduleChanges {
  return {
    insertSchedule: (schedule) => run((db) => insertSchedule(db, schedule)),
    updateSchedule: (next, expected) => run((db) => updateSchedule(db, next, expected)),
    deleteSchedule: (expected) => run((db) => deleteSchedule(db, expected)),
    insertScheduleRun: (row) => run((db) => insertScheduleRun(db, row)),
    updateScheduleRun: (row) => run((db) => updateScheduleRun(db, row)),
  };
}
