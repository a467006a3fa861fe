import type { TaskDetail } from "../../../api/task-detail.ts";
import { asCurl, asMcpCall } from "../../../text/as-curl.ts";
import { type Change, changesOf } from "../columns.ts";

export type CallId = "decide" | "create" | Change;

export type SharedCall = {
  readonly door: "curl" | "mcp";
  readonly id: CallId;
  readonly text: string;
};

export type CallsFrom = {
  /** The address of the dashboard. */
  readonly origin: string;
  readonly signIn: boolean;
  /** Stands for the reason of the person. */
  readonly reason: string;
};

const STATUS = { block: "blocked", unblock: "in_progress", cancel: "cancelled" } as const;

/** The calls that do what the buttons of the task's page do; the likeliest first. */
export function sharedCalls(task: TaskDetail, from: CallsFrom): readonly SharedCall[] {
  const { origin, signIn, reason } = from;
  const rest = (method: "POST" | "PATCH", path: string, body: unknown) =>
    asCurl({ method, url: origin + path, body, signIn });
  const path = `/api/tasks/${task.taskId}`;
  const changeBy = (change: Change): string => {
    if (change === "retry") return rest("POST", `${path}/retry`, {});
    return rest("PATCH", path, { status: STATUS[change], ...(change !== "unblock" && { reason }) });
  };
  const pending = task.approvals.findLast(({ status }) => status === "pending");
  const { request, workingDirectory } = task;
  return [
    ...(pending ? decisionOf(pending, rest) : []),
    ...changesOf(task).map((change): SharedCall => ({
      door: "curl",
      id: change,
      text: changeBy(change),
    })),
    {
      door: "curl",
      id: "create",
      text: rest("POST", "/api/tasks", { text: request, workingDirectory }),
    },
    { door: "mcp", id: "create", text: asMcpCall("create_task", { request, workingDirectory }) },
  ];
}

function decisionOf(
  { approvalId, version }: TaskDetail["approvals"][number],
  rest: (method: "POST", path: string, body: unknown) => string,
): readonly SharedCall[] {
  const decision = { decision: "approve", version };
  const text = rest("POST", `/api/approvals/${approvalId}/decision`, decision);
  const call = asMcpCall("decide_approval", { approvalId, ...decision });
  return [
    { door: "curl", id: "decide", text },
    { door: "mcp", id: "decide", text: call },
  ];
}
