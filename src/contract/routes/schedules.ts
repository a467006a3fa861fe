import { z } from "zod";
import { MISSED_POLICIES, OVERLAP_POLICIES } from "../../domain/schedules/schedule.ts";
import { TASK_DOORS, TASK_PRIORITIES } from "../../domain/tasks/task.ts";
import type { RouteContract } from "../route-contract.ts";
import { scheduleRunShape, scheduleShape } from "../shapes/schedules.ts";
import { taskShape } from "../shapes/tasks.ts";
import { cursor, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

const fields = {
  text: z
    .string()
    .max(20_000)
    .describe("The request of each task; or give a template. `request` is another name for it"),
  template: z
    .strictObject({
      id: z.string().max(100).describe("A template of the kind task"),
      values: z.record(z.string().max(100), z.string().max(20_000)).default({}),
      locale: z.enum(["ja", "en"]).optional().describe("Default: that of the configuration"),
    })
    .describe("Instead of a text; its file is read again at each planned time"),
  name: z
    .string()
    .max(100)
    .describe("Default: the beginning of the text, or the name of the template"),
  cron: z.string().max(200).describe("Minute, hour, day of month, month, day of week"),
  timeZone: z.string().max(60).describe("IANA name; default: the machine's"),
  missed: z.enum(MISSED_POLICIES).describe("Planned times at which no daemon ran"),
  overlap: z.enum(OVERLAP_POLICIES).describe("Planned times while an earlier task is not over"),
  workingDirectory: z.string().max(4_096),
};
const version = z.int().optional().describe("Version that you saw; another one answers 409");

export const listSchedules = {
  ...NO_INPUT,
  method: "get",
  path: "/api/schedules",
  summary: "Every schedule with its next time and its last run, newest first.",
  answer: z.object({ schedules: z.array(scheduleShape) }),
} as const satisfies RouteContract;

export const createSchedule = {
  ...NO_INPUT,
  method: "post",
  path: "/api/schedules",
  summary: "Request the same task again and again; people approve each one as usual.",
  body: z.strictObject({
    text: fields.text.optional(),
    template: fields.template.optional(),
    cron: fields.cron,
    name: fields.name.optional(),
    timeZone: fields.timeZone.optional(),
    missed: fields.missed.default("run-once"),
    overlap: fields.overlap.default("skip"),
    workingDirectory: fields.workingDirectory.optional(),
    priority: z.enum(TASK_PRIORITIES).optional(),
    door: z.enum(TASK_DOORS).default("web").describe("Where the person asked"),
  }),
  status: 201,
  answer: scheduleShape,
} as const satisfies RouteContract;

export const previewSchedule = {
  ...NO_INPUT,
  method: "get",
  path: "/api/schedule-preview",
  summary: "The next five times of a cron expression, or what is wrong with it.",
  query: z.strictObject({ cron: z.string().max(1_000), timeZone: fields.timeZone.optional() }),
  answer: z.object({
    cron: z.string(),
    timeZone: z.string().nullable().describe("null: there is no such time zone"),
    similarZones: z.array(z.string()),
    problem: z
      .object({
        kind: z.enum(["long", "fields", "field", "never"]),
        field: z.number().optional().describe("The wrong field, counted from 1"),
        value: z.string().optional(),
        count: z.number().optional().describe("How many fields there are instead of 5"),
      })
      .nullable(),
    next: z.array(z.string()),
  }),
} as const satisfies RouteContract;

export const getSchedule = {
  ...ONLY_ID,
  method: "get",
  path: "/api/schedules/{id}",
  summary: "One schedule with its next five times.",
  answer: scheduleShape.extend({ next: z.array(z.string()).describe("Empty while it is paused") }),
} as const satisfies RouteContract;

export const changeSchedule = {
  ...ONLY_ID,
  method: "patch",
  path: "/api/schedules/{id}",
  summary: "Pause or resume a schedule, or change it. Who changes it becomes its requester.",
  body: z.strictObject({
    ...z.object(fields).partial().shape,
    priority: z.enum(TASK_PRIORITIES).nullable().optional(),
    status: z.enum(["active", "paused"]).optional(),
    version,
  }),
  answer: scheduleShape,
} as const satisfies RouteContract;

export const runSchedule = {
  ...ONLY_ID,
  method: "post",
  path: "/api/schedules/{id}/run",
  summary: "Request the task of a schedule now; its planned times stay.",
  status: 201,
  answer: taskShape,
} as const satisfies RouteContract;

export const removeSchedule = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/schedules/{id}",
  summary: "Remove a schedule and the list of its runs; its tasks stay.",
  query: z.strictObject({ version: z.coerce.number<string | number>().int().optional() }),
  answer: z.object({ scheduleId: z.string() }),
} as const satisfies RouteContract;

export const listScheduleRuns = {
  ...ONLY_ID,
  method: "get",
  path: "/api/schedules/{id}/runs",
  summary: "What happened at the planned times of a schedule, newest first.",
  query: z.strictObject({ limit: limit(200, 50), cursor }),
  answer: z.object({ runs: z.array(scheduleRunShape), nextCursor: z.string().nullable() }),
} as const satisfies RouteContract;
