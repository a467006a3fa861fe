import { scheduleRunShape, scheduleShape } from "../shapes/schedules.ts";
import { defineEvent } from "./define-event.ts";

const schedule = scheduleShape.pick({
  scheduleId: true,
  name: true,
  status: true,
  pausedReason: true,
  requester: true,
  nextAt: true,
  version: true,
}).shape;

export const SCHEDULE_EVENTS = [
  defineEvent("schedule:created", "any", "stored", "A person created a schedule.", schedule),
  defineEvent("schedule:updated", "any", "stored", "A schedule changed or was paused.", schedule),
  defineEvent("schedule:removed", "any", "stored", "A person removed a schedule.", schedule),
  defineEvent("schedule:ran", "any", "stored", "What happened at a planned time.", {
    ...schedule,
    run: scheduleRunShape,
  }),
] as const;
