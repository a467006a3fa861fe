import type { TaskDetail } from "../../../api/task-detail.ts";
import { asMcpCall } from "../../../text/as-curl.ts";
import type { AsCurl, SharedCall } from "../../../ui/share-menu.tsx";
import { decisionCalls } from "../../approvals/share-calls.ts";
import { type Change, changesOf } from "../columns.ts";

export type CallsFrom = {
  readonly curl: AsCurl;
  /** Stands for the reason of the person. */
  readonly reason: string;
};

const STATUS = { block: "blocked", unblock: "in_progress", cancel: "cancelled" } as const;

/** The calls that do what the buttons of the task's page do; the likeliest first. */
export function sharedCalls(task: TaskDetail, from: CallsFrom): readonly SharedCall[] {
  const { curl, reason } = from;
  const path = `/api/tasks/${task.taskId}`;
  const changeBy = (change: Change): string => {
    if (change === "retry") return curl({ method: "POST", path: `${path}/retry`, body: {} });
    const body = { status: STATUS[change], ...(change !== "unblock" && { reason }) };
    return curl({ method: "PATCH", path, body });
  };
  const pending = task.approvals.findLast(({ status }) => status === "pending");
  const { request, workingDirectory } = task;
  return [
    ...(pending ? decisionCalls(pending, "approve", from) : []),
    ...changesOf(task).map((change): SharedCall => ({
      door: "curl",
      id: change,
      text: changeBy(change),
    })),
    {
      door: "curl",
      id: "create",
      text: curl({
        method: "POST",
        path: "/api/tasks",
        body: { text: request, workingDirectory },
      }),
    },
    { door: "mcp", id: "create", text: asMcpCall("create_task", { request, workingDirectory }) },
  ];
}
