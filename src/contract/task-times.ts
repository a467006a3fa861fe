import type { WireTaskDetail } from "./shapes/tasks.ts";

type Timed = Pick<WireTaskDetail, "createdAt" | "endedAt"> & {
  readonly approvals: readonly Pick<
    WireTaskDetail["approvals"][number],
    "createdAt" | "decidedAt"
  >[];
};

/** From the request to the end, and how long of it people were waited for, in milliseconds. */
export function timesOf(task: Timed): {
  readonly total: number | undefined;
  readonly waiting: number;
} {
  if (task.endedAt === null) return { total: undefined, waiting: 0 };
  const end = Date.parse(task.endedAt);
  const spans = task.approvals
    .map(({ createdAt, decidedAt }) => ({
      from: Date.parse(createdAt),
      to: Math.min(end, decidedAt === null ? end : Date.parse(decidedAt)),
    }))
    .sort((one, other) => one.from - other.from);
  let waiting = 0;
  let until = 0;
  // Two that wait at the same time count once.
  for (const { from, to } of spans) {
    waiting += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return { total: end - Date.parse(task.createdAt), waiting };
}
