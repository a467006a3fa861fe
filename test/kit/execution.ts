import { decideApproval, type DecideApproval } from "../../src/app/approvals/decide-approval.ts";
import { LOCAL_USER, type Core, type Identity } from "../../src/app/core.ts";
import {
  authorizeUpstreamCall,
  callUpstreamTool,
} from "../../src/app/gateway/call-upstream-tool.ts";
import type { OnDelivery } from "../../src/app/gateway/gateway-call.ts";
import { pinTools } from "../../src/app/gateway/pin-tools.ts";
import type { JsonObject, UpstreamAnswer, UpstreamProgress } from "../../src/app/ports/upstream.ts";
import type { Approval } from "../../src/domain/approvals/approval.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import type { Step } from "../../src/domain/tasks/draft.ts";
import type { Execution, StepStatus } from "../../src/domain/tasks/execution.ts";
import type { Task } from "../../src/domain/tasks/task.ts";
import { anExecution } from "./builders.ts";
import { aCore, type ACore, type TestCore } from "./core.ts";
import { aFakeUpstream, aTool, type FakeUpstream } from "./fake-upstream.ts";
import { aRunningTask, EXECUTOR, type ARunningTask } from "./running-task.ts";

export const WRITE = "write_rows_to_google_sheet";

/** The tools of the process, an unplanned one, and a read-only one. */
const TOOLS = [
  aTool("list_employees"),
  aTool("calculate_overtime"),
  aTool(WRITE),
  aTool("send_slack_dm"),
  aTool("list_attendance", { isReadOnly: true }),
];

export type Gateway = {
  readonly core: TestCore;
  readonly upstream: FakeUpstream;
};

export async function aGateway(over: ACore = {}): Promise<Gateway> {
  const upstream = aFakeUpstream(TOOLS);
  const core = await aCore({ upstream, ...over });
  await pinTools(core);
  return { core, upstream };
}

export type Running = Gateway & { readonly task: Task };

/** A task in progress whose executor is running, before its first step. */
export async function aRunningExecution(
  over: ACore = {},
  task: ARunningTask & { readonly steps?: readonly Step[] } = {},
): Promise<Running> {
  const gateway = await aGateway(over);
  const { steps } = task;
  const planned = steps && {
    process: { steps },
    execution: { steps: statesOf(steps), ...task.execution },
  };
  return { ...gateway, task: await aRunningTask(gateway.core, { ...task, ...planned }) };
}

function statesOf(steps: readonly Step[]): Execution["steps"] {
  const [fresh] = anExecution().steps;
  if (!fresh) throw new Error("the builder has steps");
  return steps.map(({ id }) => ({ ...fresh, stepId: id }));
}

export function aStep(order: number, over: Partial<Step> = {}): Step {
  return {
    id: `step-${order}`,
    order,
    title: `${order}番目`,
    server: "hr",
    tool: "list_employees",
    requiresHumanCheck: false,
    ...over,
  };
}

export function agent(agentId: AgentId, role = "executor"): Identity {
  return { kind: "agent", agentId, role };
}

export const executor = agent(EXECUTOR);

export type CallOver = {
  readonly identity?: Identity;
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
  readonly isCutOff?: () => boolean;
  readonly onProgress?: (progress: UpstreamProgress) => void;
  readonly onDelivery?: OnDelivery;
};

/** One call through the gateway that waits for a decision without a limit. */
export async function call(
  core: Core,
  name: string,
  args: JsonObject = {},
  over: CallOver = {},
): Promise<UpstreamAnswer> {
  const authorized = await authorizeUpstreamCall(core, over.identity ?? executor, name);
  return callUpstreamTool(core, authorized, {
    name,
    args,
    signal: over.signal ?? new AbortController().signal,
    patienceMs: over.patienceMs ?? 600_000,
    beat: () => {},
    onProgress: over.onProgress ?? (() => {}),
    isCutOff: over.isCutOff,
    onDelivery: over.onDelivery,
  });
}

/** Without waiting: a call that needs a decision is refused at once. */
export function callOnce(core: Core, name: string, args: JsonObject = {}) {
  return call(core, name, args, { patienceMs: 0 });
}

export async function pendingApprovals(core: Core): Promise<readonly Approval[]> {
  return (await core.store.listApprovals({ statuses: ["pending"], limit: 100 })).approvals;
}

const PENDING_WITHIN_MS = 20_000;

/** Waits for the pending approval. */
export async function pendingApproval(core: Core): Promise<Approval> {
  // performance.now() is used because many tests replace the clock of the core.
  for (const until = performance.now() + PENDING_WITHIN_MS; performance.now() < until;) {
    const [approval] = await pendingApprovals(core);
    if (approval) return approval;
    await new Promise((done) => setImmediate(done));
  }
  throw new Error("no approval is pending");
}

export async function decide(
  core: Core,
  decision: "approve" | "reject",
  over: Partial<DecideApproval> = {},
): Promise<Approval> {
  const { id, version } = await pendingApproval(core);
  return decideApproval(core, LOCAL_USER, { approvalId: id, version, decision, ...over });
}

export async function theExecution(core: Core, id = "exe-01"): Promise<Execution> {
  const execution = await core.store.getExecution(id);
  if (!execution) throw new Error(`there is no ${id}`);
  return execution;
}

export async function stepStatuses(core: Core, id = "exe-01"): Promise<readonly StepStatus[]> {
  return (await theExecution(core, id)).steps.map(({ status }) => status);
}

export function textOf({ content }: UpstreamAnswer): string {
  return content.map((block) => (typeof block["text"] === "string" ? block["text"] : "")).join("");
}

/** The refusal that the promise rejects with. */
export async function refusalOf(act: Promise<unknown>): Promise<Refusal> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
