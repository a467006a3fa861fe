import { reportResult } from "../../src/app/agents/report-result.ts";
import { decideApproval, type DecideApproval } from "../../src/app/approvals/decide-approval.ts";
import { LOCAL_USER } from "../../src/app/core.ts";
import type { Upstream, UpstreamTool } from "../../src/app/ports/upstream.ts";
import { createTask, type CreateTask } from "../../src/app/tasks/create-task.ts";
import type { Agent } from "../../src/domain/agents/agent.ts";
import type { AgentReport } from "../../src/domain/agents/result.ts";
import type { Approval } from "../../src/domain/approvals/approval.ts";
import type { TaskId } from "../../src/domain/ids.ts";
import { readInputBlock } from "../../src/domain/tasks/drafting.ts";
import type { Task } from "../../src/domain/tasks/task.ts";
import { ended, started, type TestCore } from "./core.ts";

export const ANALYSIS = {
  title: "残業時間の集計",
  description: "9月分の残業時間を社員ごとに集計する。",
  priority: "high",
  type: "集計",
};
export const PLAN = { content: "勤怠データから残業時間を計算し、シートに書く。" };
export const DESIGN = {
  steps: [
    { title: "社員一覧を取る", tool: "hr/list_employees", requiresHumanCheck: false },
    { title: "シートに書く", tool: "hr/write_rows", requiresHumanCheck: true },
  ],
};

export function anUpstreamTool(server: string, name: string): UpstreamTool {
  return {
    server,
    name,
    title: null,
    description: `${name} の説明`,
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
    isReadOnly: false,
    humanCheck: "as-planned",
    hash: `${server}/${name}`,
  };
}

/** Servers that list these tools and whose calls fail. */
export function upstreamWith(...tools: readonly UpstreamTool[]): Upstream {
  const names = [...new Set(tools.map(({ server }) => server))];
  const servers = names.map((name) => ({
    name,
    transport: "stdio" as const,
    status: "ready" as const,
    error: null,
    restarts: 0,
    tools: tools.filter(({ server }) => server === name),
  }));
  return {
    servers: () => servers,
    settled: async () => {},
    call: () => Promise.reject(new Error("this upstream answers no calls")),
    subscribe: () => () => {},
    close: async () => {},
  };
}

export const HR = [anUpstreamTool("hr", "list_employees"), anUpstreamTool("hr", "write_rows")];

export function askFor(core: TestCore, over: Partial<CreateTask> = {}): Promise<Task> {
  return createTask(core, LOCAL_USER, {
    request: "9月分の残業時間を集計して",
    door: "web",
    ...over,
  });
}

export async function taskOf(core: TestCore, taskId: TaskId): Promise<Task> {
  const task = await core.store.getTask(taskId);
  if (!task) throw new Error(`no ${taskId}`);
  return task;
}

/** The agent that drafts for the task now, started. */
export async function drafterOf(core: TestCore, taskId: TaskId): Promise<Agent> {
  await core.quiet();
  const { draftAgentId } = await taskOf(core, taskId);
  const agent = draftAgentId === null ? undefined : await core.store.getAgent(draftAgentId);
  if (!agent) throw new Error(`no agent drafts for ${taskId}`);
  return agent;
}

/** The input of a drafting agent. */
export async function inputOf(core: TestCore, agent: Agent): Promise<Record<string, unknown>> {
  const block = readInputBlock(await core.store.getPrompt(agent.id));
  return JSON.parse(block ?? "{}");
}

/** The drafting agent reports its answer and ends. */
export async function answer(core: TestCore, taskId: TaskId, value: unknown): Promise<Agent> {
  const agent = await drafterOf(core, taskId);
  const response = typeof value === "string" ? value : JSON.stringify(value);
  await core.observe(started(agent.id, agent.attempt));
  await reportResult(
    core,
    { kind: "agent", agentId: agent.id, role: agent.role },
    { agentId: agent.id, report: aReport({ response }) },
  );
  await core.observe(ended(agent.id, { attempt: agent.attempt }));
  await core.quiet();
  return agent;
}

export function aReport(over: Partial<AgentReport> = {}): AgentReport {
  return {
    status: "success",
    summary: "下書きしました",
    response: "",
    editedFiles: [],
    createdFiles: [],
    errorMessage: null,
    ...over,
  };
}

export async function pendingApproval(core: TestCore, taskId: TaskId): Promise<Approval> {
  const { approvals } = await core.store.listApprovals({
    taskId,
    statuses: ["pending"],
    limit: 10,
  });
  const [approval, ...others] = approvals;
  if (!approval || others.length > 0) throw new Error(`${approvals.length} approvals are pending`);
  return approval;
}

export async function decide(
  core: TestCore,
  taskId: TaskId,
  over: Partial<DecideApproval> = {},
): Promise<Approval> {
  const { id, version } = await pendingApproval(core, taskId);
  const decided = await decideApproval(core, LOCAL_USER, {
    approvalId: id,
    version,
    decision: "approve",
    ...over,
  });
  await core.quiet();
  return decided;
}

export const reject = (core: TestCore, taskId: TaskId, reason: string): Promise<Approval> =>
  decide(core, taskId, { decision: "reject", reason });

/** A task whose prompt waits for approval. */
export async function aPlannedTask(core: TestCore): Promise<TaskId> {
  const { id } = await askFor(core);
  await answer(core, id, ANALYSIS);
  await answer(core, id, PLAN);
  return id;
}

/** A task whose process waits for approval. */
export async function aDesignedTask(core: TestCore): Promise<TaskId> {
  const id = await aPlannedTask(core);
  await decide(core, id);
  await answer(core, id, DESIGN);
  return id;
}
