import { z } from "zod";
import { endAll, processesWith } from "../kit/processes.ts";
import { aWatcher, bySubject } from "./live.ts";
import {
  aRecordedClient,
  idIn,
  tokenOf,
  type Json,
  type Over,
  type RecordedClient,
  upstream,
  type World,
} from "./world.ts";

/** Read, write, send: three steps of the upstream server. */
export function request(...directives: readonly string[]): string {
  const all = ["steps list_notes, write_note, send_word", "uncheck step-2", ...directives];
  const args = ['arg step-2.text "互換"', 'arg step-3.word "互換"'];
  return ["互換の依頼", ...[...all, ...args].map((each) => `#rehearsal ${each}`)].join("\n");
}

/** A task from the request to its end: sent back once, approved, blocked and unblocked. */
export async function playTask(world: World): Promise<void> {
  const { recorder, ask } = world;
  const watcher = await aWatcher(world.url, {});
  await upstream(world);
  const text = request(
    "first in planner answer not JSON",
    "check step-3",
    "first after step-1 listen 60000",
  );
  const taskId = idIn(
    await ask("POST", "/api/tasks", { body: { text, priority: "high" } }),
    "taskId",
  );
  await decide(world, "prompt", { decision: "reject", reason: "互換ではない" });
  await decide(world, "prompt", { decision: "approve" });
  await world.approval("process");
  await atRest(world, taskId);
  await ask("GET", `/api/tasks/${taskId}`);
  await decide(world, "process", { decision: "approve" });
  await answered(world, taskId, "list_notes");
  await ask("PATCH", `/api/tasks/${taskId}?dryRun=true`, { body: { status: "blocked" } });
  await ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "blocked", version: 1 } });
  await ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "blocked", reason: "互換" } });
  await atRest(world, taskId);
  await ask("GET", `/api/tasks/${taskId}`);
  await ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "blocked" } });
  await ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "in_progress" } });
  await decide(world, "step", { decision: "approve", scope: "once" });
  await world.waitFor(`/api/tasks/${taskId}`, ({ status }) => status === "completed");
  await atRest(world, taskId);
  await watcher.reached(({ type }) => type === "group:deleted");
  recorder.add("live events", bySubject(watcher.events()));
  await readTask(world, taskId);
  await ask("POST", `/api/tasks/${taskId}/retry`);
  await ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "cancelled" } });
}

/** A task that the main agent asks for, and what its executors call: the use case of a block. */
export async function playTaskTools(world: World, main: RecordedClient, over: Over): Promise<void> {
  const { recorder } = world;
  const anExecutor = async (who: string) => {
    const agentId = await executorOf(world);
    const rpc = over({ authorization: `Bearer ${tokenOf(agentId)}` });
    const client = await aRecordedClient(recorder, who, rpc);
    return { ...client, end: () => endAll(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`)) };
  };
  await main.call("create_task", {});
  const text = request("in executor say 互換", "in executor hang", "check step-3");
  const task = await main.call("create_task", { request: text, priority: "low" });
  const taskId = idIn(task, "taskId");
  await main.call("get_task", { taskId: "x" });
  const { approvalId, version } = await world.approval("prompt");
  await atRest(world, taskId);
  await main.call("get_task", { taskId });
  await main.call("list_approvals");
  await main.call("decide_approval", { approvalId, decision: "approve", version });
  await decide(world, "prompt", { decision: "approve" });
  await decide(world, "process", { decision: "approve" });
  const executor = await anExecutor("executor");
  await executor.list();
  await executor.call("create_task", { request: "互換" });
  await executor.call("report_progress", { stepId: "step-9" });
  await executor.call("report_progress", { stepId: "step-1", message: "互換" });
  await executor.call("list_notes");
  await executor.call("write_note", {});
  await executor.call("agent_research", { prompt: "互換" });
  await executor.call("report_progress", { stepId: "step-3" });
  await executor.call("send_word", { word: "互換" });
  await main.call("get_task", { taskId });
  await executor.call("report_completed", { result: "waiting", summary: "互換" });
  executor.end();
  await atRest(world, taskId);
  await decide(world, "unplanned_tool", { decision: "reject", reason: "互換" });
  await decide(world, "step", { decision: "reject", reason: "互換", onReject: "skip" });
  const next = await anExecutor("next executor");
  await next.call("send_word", { word: "互換" });
  await world.send("PATCH", `/api/tasks/${taskId}`, {
    body: { status: "blocked", reason: "互換" },
  });
  await next.call("write_note", { text: "互換" });
  await next.call("get_notifications");
  await next.call("report_completed", { result: "blocked", summary: "互換" });
  next.end();
  await atRest(world, taskId);
  await main.call("get_task", { taskId });
  await world.ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "cancelled" } });
}

export async function decide(world: World, kind: string, said: Json): Promise<void> {
  const { approvalId, version } = await world.approval(kind);
  const path = `/api/approvals/${String(approvalId)}`;
  await world.ask("GET", path);
  await world.ask("POST", `${path}/decision`, { body: { ...said, version: 99 } });
  await world.ask("POST", `${path}/decision`, { body: { ...said, version } });
  await world.ask("POST", `${path}/decision`, { body: { ...said, version } });
}

const agentsShape = z.array(
  z.looseObject({
    agentId: z.string(),
    role: z.string(),
    status: z.string(),
    endedAt: z.string().nullable(),
  }),
);

/** Until the processes of all agents of the task have ended. */
export async function atRest(world: World, taskId: string): Promise<void> {
  const groupId = idIn(await world.look(`/api/tasks/${taskId}`), "groupId");
  await world.waitFor(`/api/agents?groupId=${groupId}`, ({ agents }) =>
    agentsShape.parse(agents).every(({ endedAt }) => endedAt !== null),
  );
}

async function executorOf(world: World): Promise<string> {
  let agentId = "";
  await world.waitFor("/api/agents?status=running", ({ agents }) => {
    const running = agentsShape.parse(agents).filter(({ role }) => role === "executor");
    const found = running.length === 1 ? running[0] : undefined;
    agentId = found?.agentId ?? "";
    return String(found?.["lastMessage"]).includes("互換");
  });
  return agentId;
}

export async function answered(world: World, taskId: string, tool: string): Promise<void> {
  const calls = z.array(z.looseObject({ tool: z.string(), status: z.string() }));
  await world.waitFor(`/api/tasks/${taskId}`, ({ toolCalls }) =>
    calls.parse(toolCalls).some((call) => call.tool === tool && call.status === "done"),
  );
}

export function executionsOf({ executions }: Json): string[] {
  return z
    .array(z.looseObject({ executionId: z.string() }))
    .parse(executions)
    .map((each) => each.executionId);
}

export async function readTask(world: World, taskId: string): Promise<void> {
  const task = await world.ask("GET", `/api/tasks/${taskId}`);
  await world.ask("GET", `/api/tasks/${taskId}/events`);
  for (const id of executionsOf(task)) await world.ask("GET", `/api/executions/${id}`);
  await world.ask("GET", "/api/tasks?q=互換");
  await world.ask("GET", `/api/approvals?taskId=${taskId}`);
  await world.ask("GET", "/api/notifications");
  await world.ask("GET", "/api/audit");
  await world.ask("GET", "/api/audit/verify");
}
