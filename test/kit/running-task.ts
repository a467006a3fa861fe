import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Core } from "../../src/app/core.ts";
import type { Agent } from "../../src/domain/agents/agent.ts";
import { startMagentic } from "../../src/domain/groups/magentic.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import type { ProcessDraft } from "../../src/domain/tasks/draft.ts";
import type { Execution } from "../../src/domain/tasks/execution.ts";
import type { Task } from "../../src/domain/tasks/task.ts";
import { callTool } from "../../src/doors/mcp/call-tool.ts";
import { TOOLS } from "../../src/doors/mcp/tools.ts";
import { aGroup, anAgent, anExecution, aProcessDraft, aPromptDraft, aTask } from "./builders.ts";
import { textsOf } from "./call-own-tool.ts";

export const EXECUTOR: AgentId = "executor-1794733200-0001";

export type ARunningTask = {
  readonly task?: Partial<Task>;
  readonly execution?: Partial<Execution>;
  readonly process?: Partial<ProcessDraft>;
  /** null: no executor. */
  readonly executor?: Partial<Agent> | null;
};

/** A task in progress with its execution and running executor, stored as the real flow stores them. */
export async function aRunningTask(core: Core, over: ARunningTask = {}): Promise<Task> {
  const task = aTask({
    status: "in_progress",
    title: "残業時間の集計",
    description: "9月分",
    type: "集計",
    promptId: "prm-01",
    processId: "prc-01",
    executionId: "exe-01",
    ...over.task,
  });
  const agentId = over.executor === null ? null : EXECUTOR;
  const execution = anExecution({
    status: "running",
    agentId,
    agentIds: agentId === null ? [] : [agentId],
    startedAt: task.createdAt,
    ...over.execution,
  });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertTask(task);
    await unit.insertPromptDraft(aPromptDraft());
    await unit.insertProcessDraft(aProcessDraft(over.process));
    await unit.insertExecution(execution);
  });
  if (over.executor !== null) {
    await aTaskAgent(core, {
      id: EXECUTOR,
      role: "executor",
      slot: "orchestrator",
      ...over.executor,
    });
  }
  return task;
}

/** Another agent of that task, running by default. */
export async function aTaskAgent(core: Core, over: Partial<Agent> = {}): Promise<AgentId> {
  const agent = anAgent({
    taskId: "task-01",
    executionId: "exe-01",
    status: "running",
    process: "alive",
    attempt: 1,
    pid: 4_242,
    pidStart: "99",
    bootId: "boot",
    startedAt: core.clock.now(),
    ...over,
  });
  await core.store.transaction((unit) => unit.insertAgent(agent, "やって"));
  return agent.id;
}

export const QUEUED = {
  status: "queued",
  process: "waiting",
  attempt: 0,
  startedAt: null,
} as const;

export const ORCHESTRATOR: AgentId = "orchestrator-1794733200-0002";

/** An orchestrator of that task, and two agents that it has started. */
export async function anOrchestrator(core: Core): Promise<readonly AgentId[]> {
  const groups = [
    aGroup({
      id: "grp-1794733200-0a0a",
      mode: "magentic",
      parentGroupId: aGroup().id,
      orchestratorAgentId: ORCHESTRATOR,
      magentic: startMagentic(10, ["impl-code"]),
    }),
    aGroup({ id: "grp-1794733200-0b0b", parentGroupId: "grp-1794733200-0a0a" }),
  ];
  await core.store.transaction(async (unit) => {
    for (const group of groups) await unit.insertGroup(group);
  });
  await aTaskAgent(core, {
    id: ORCHESTRATOR,
    role: "orchestrator",
    slot: "orchestrator",
    groupId: "grp-1794733200-0a0a",
  });
  const { answer } = await runMore(core);
  const { agents } = z.object({ agents: z.array(z.object({ agentId: z.string() })) }).parse(answer);
  const found = await core.store.getAgents(agents.map(({ agentId }) => agentId));
  return found.map(({ id }) => id);
}

/** The orchestrator asks for two more agents. */
export function runMore(core: Core): Promise<Said> {
  const one = { role: "impl-code", prompt: "やって", workingDirectory: "/" };
  const agents = [one, { ...one, prompt: "これも" }];
  return callAs(core, ORCHESTRATOR, "run_agents", { groupId: "grp-1794733200-0b0b", agents });
}

export type Said = {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

/** One call of an agent through the whole MCP pipeline. */
export async function callAs(
  core: Core,
  agentId: AgentId,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Said> {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const agent = await core.store.getAgent(agentId);
  return said(
    await callTool(core, tool, {
      name,
      args,
      identify: async () => ({ kind: "agent", agentId, role: agent?.role ?? "" }),
      signal: new AbortController().signal,
      patienceMs: 60_000,
      beat: () => {},
    }),
  );
}

function said(called: CallToolResult): Said {
  const { structuredContent, isError } = called;
  const texts = textsOf(called);
  const answer = structuredContent ?? JSON.parse(texts.at(-1) ?? "{}");
  const line = texts.length > 1 ? { notification: texts[0] } : {};
  return { answer: { ...answer, ...line }, isError: isError === true };
}
