import { listAllApprovals } from "../../../app/approvals/list-all-approvals.ts";
import { textOf } from "../../../base/narrow.ts";
import { mayDecide } from "../../../domain/approvals/decide.ts";
import { mayActAs, type Person } from "../../../domain/people/person.ts";
import { isFinal, TASK_STATUSES, type Task } from "../../../domain/tasks/task.ts";
import type { HomeApproval, HomeTask } from "../cards/views.ts";
import type { Incoming } from "./context.ts";

const MAX_TASKS = 30;
const MAX_APPROVALS = 30;
const OVER = TASK_STATUSES.filter((status) => isFinal({ status }));
const RUNNING = TASK_STATUSES.filter((status) => !OVER.includes(status));

type Work = Pick<Incoming, "core" | "api" | "dashboardUrl" | "permalinks">;

/** Pending approvals that the person may decide, oldest first. */
export async function listMyApprovals(
  work: Work,
  team: string,
  person: Person,
): Promise<readonly HomeApproval[]> {
  if (!mayActAs(person, "operator")) return [];
  const pending = await listAllApprovals(work.core.store, { statuses: ["pending"] });
  const mine = pending.filter((each) => mayDecide(each, person.id, person.groups));
  return Promise.all(
    mine.slice(0, MAX_APPROVALS).map(async ({ kind, title, createdAt, taskId }) => ({
      kind,
      title,
      askedAt: createdAt,
      url: await urlOf(work, team, taskId),
    })),
  );
}

/** The person's own tasks, newest first. */
export async function listMyTasks(
  work: Work,
  team: string,
  { id: requester }: Person,
  which: "running" | "over",
): Promise<readonly HomeTask[]> {
  const statuses = which === "running" ? RUNNING : OVER;
  const page = await work.core.store.listTasks({ requester, statuses, limit: MAX_TASKS });
  return Promise.all(page.tasks.map((task) => homeTask(work, team, task)));
}

async function homeTask(work: Work, team: string, task: Task): Promise<HomeTask> {
  const execution = await work.core.store.getExecution(task.executionId ?? "");
  const steps = execution?.steps ?? [];
  const done = steps.filter(({ status }) => status === "done").length;
  return {
    taskId: task.id,
    title: task.title ?? task.request,
    status: task.status,
    updatedAt: task.updatedAt,
    ...(steps.length > 0 && { progress: { done, total: steps.length } }),
    url: await urlOf(work, team, task.id),
  };
}

/** The thread in this workspace, else the page of the dashboard. */
async function urlOf(
  { core, permalinks, dashboardUrl }: Work,
  team: string,
  taskId: string | null,
): Promise<string | undefined> {
  if (taskId === null) return dashboardUrl();
  const threads = await core.store.listSlackThreadsOfTask(taskId);
  const thread = threads.find((each) => each.team === team);
  const link = thread && (await permalinks.find(team, thread.channel, thread.threadTs));
  const dashboard = dashboardUrl();
  return link ?? (dashboard && `${dashboard}/tasks/${taskId}`);
}

export type Permalinks = {
  find(team: string, channel: string, ts: string): Promise<string | undefined>;
};

const MAX_KEPT = 5_000;

/** The addresses of messages; they never change. */
export function createPermalinks(api: Incoming["api"]): Permalinks {
  const known = new Map<string, string>();
  return {
    async find(team, channel, ts) {
      const key = `${team}:${channel}:${ts}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const args = { channel, message_ts: ts };
      const answer = await api
        .call({ team, method: "chat.getPermalink", args, isUrgent: true })
        .catch(() => undefined);
      const link = textOf(answer?.["permalink"]);
      if (link !== undefined) known.set(key, link);
      if (known.size > MAX_KEPT) known.delete(known.keys().next().value ?? "");
      return link;
    },
  };
}
