import { z } from "zod";
import {
  agentIdsIn,
  aRecordedClient,
  idIn,
  tokenOf,
  type Json,
  type RecordedClient,
  type Over,
  type World,
} from "./world.ts";

const HANGING = "互換\n#rehearsal say 互換\n#rehearsal hang";

/** Every tool of the main agent for groups of agents that work at once. */
export async function playGroups(world: World, { call }: RecordedClient): Promise<void> {
  await call("create_group", {});
  await call("create_group", { description: "互換", parentGroupId: "x" });
  const groupId = idIn(await call("create_group", { description: "互換" }), "groupId");
  await call("run_agents", { groupId: "x", agents: [agent("impl-code", "互換")] });
  await call("run_agents", { groupId, agents: [agent("nothing", "互換")] });
  await call("run_agents", { groupId, agents: [] });
  await call("run_agents", {
    groupId,
    agents: [{ ...agent("impl-code", "互換"), workingDirectory: "/none" }],
  });
  const agents = [agent("impl-code", "互換\n#rehearsal usage 10 20"), agent("research", "互換")];
  const ids = agentIdsIn(await call("run_agents", { groupId, agents }));
  await settled(world, ids);
  await call("wait_agent", { agentIds: ids });
  await call("wait_agent", { agentIds: ["x"] });
  await call("wait_agent", { agentIds: [] });
  await call("get_agent_status", { agentId: ids[0] });
  await call("get_agent_status", { agentIds: ids, fields: ["status", "usage", "summary"] });
  await call("get_agent_status", { agentId: "x" });
  await call("get_agent_status", {});
  await call("list_agents", { groupId });
  await call("list_agents", { status: "running", fields: ["status"] });
  await call("list_agents", { status: "nothing" });

  const [hanging = ""] = agentIdsIn(
    await call("run_agents", { groupId, agents: [agent("research", HANGING)] }),
  );
  await said(world, hanging);
  await call("wait_agent", { agentIds: [hanging], maxBlock_ms: 0 });
  await call("wait_agent", { agentIds: [hanging, ids[0]], mode: "any" });
  await call("wait_agent", { agentIds: [hanging], timeout_ms: 0 });
  await call("get_agent_status", { agentId: hanging });
  await call("send_message", { agentId: hanging, text: "互換の知らせ" });
  await call("send_message", { agentId: ids[0], text: "互換の知らせ" });
  await call("send_message", { agentId: "x", text: "互換の知らせ" });
  await call("delete_group", { groupId });
  await call("cancel_agent", { agentId: hanging });
  await world.waitFor(`/api/agents/${hanging}`, ({ status }) => status === "cancelled");
  await call("cancel_agent", { agentId: hanging });
  await call("cancel_agent", { agentId: "x" });
  await call("get_notifications", {});
  await call("get_notifications", { agentId: hanging });
  await call("report_result", {
    agentId: ids[0],
    status: "success",
    summary: "互換",
    response: "互換",
  });
  await call("report_result", {
    agentId: "x",
    status: "success",
    summary: "互換",
    response: "互換",
  });
  await call("report_completed", { result: "success" });
  await call("report_completed", { result: "success", agentId: "x" });
  await call("update_ledger", { groupId });
  await call("report_progress", { stepId: "step-1" });
  await call("ask_human", { question: "互換か" });
  await call("delete_group", { groupId });
  await call("delete_group", { groupId });
}

/** Groups with stages, and a group that an orchestrator runs. */
export async function playPlans(world: World, { call }: RecordedClient): Promise<void> {
  const concurrent = idIn(await call("create_group", { description: "互換" }), "groupId");
  const sequential = { description: "互換の段階", mode: "sequential" };
  const groupId = idIn(await call("create_group", sequential), "groupId");
  const stages = [
    { tasks: [{ role: "impl-code", prompt: "互換 1" }] },
    { tasks: [{ role: "code-review", prompt: "互換 2" }] },
  ];
  await call("run_sequential", { groupId: concurrent, stages });
  await call("run_sequential", { groupId, stages: [] });
  await call("run_agents", { groupId, agents: [{ role: "impl-code", prompt: "互換" }] });
  const ids = agentIdsIn(await call("run_sequential", { groupId, stages }));
  await settled(world, ids);
  // A stage is closed after its last agent has settled, which another server may do.
  await world.waitFor(`/api/groups/${groupId}`, (group) =>
    JSON.stringify(group).includes(`"current":${stages.length}`),
  );
  await world.ask("GET", `/api/groups/${groupId}`);

  const task = {
    description: "互換の自律",
    task: "互換",
    completionCriteria: "互換",
    scope: "互換",
  };
  await call("run_magentic", { ...task, task: undefined });
  await call("run_magentic", { ...task, availableRoles: ["nothing"] });
  const request = { ...task, availableRoles: ["impl-code", "research"], maxIterations: 3 };
  const started = await call("run_magentic", request);
  const orchestrator = idIn(started, "orchestratorAgentId");
  await settled(world, [orchestrator]);
  await call("wait_agent", { agentIds: [orchestrator] });
  await call("get_agent_status", { agentId: orchestrator, fields: ["status", "result"] });
  await world.ask("GET", `/api/groups/${idIn(started, "groupId")}`);
  await call("update_ledger", { groupId: idIn(started, "groupId"), task: ledger() });
}

/** What an agent itself calls: its tools, a question, a message and its result. */
export async function playAgents(world: World, over: Over): Promise<void> {
  const { recorder } = world;
  const main = await aRecordedClient(recorder, "main", over());
  const groupId = idIn(await main.call("create_group", { description: "互換" }), "groupId");
  const agents = [{ role: "impl-code", prompt: HANGING, workingDirectory: world.place.dir }];
  const [agentId = ""] = agentIdsIn(await main.call("run_agents", { groupId, agents }));
  await said(world, agentId);
  const own = await aRecordedClient(recorder, "agent", over(bearer(agentId)));
  await own.list();
  await own.call("create_group", { description: "互換" });
  await own.call("report_progress", { stepId: "step-1" });
  await own.call("list_notes", {});
  const asked = own.call("ask_human", { question: "互換か", choices: ["互換はい", "互換いいえ"] });
  const { approvalId, version } = await world.approval("question");
  const body = { decision: "approve", version, answer: "互換はい" };
  await world.send("POST", `/api/approvals/${String(approvalId)}/decision`, { body });
  await asked;
  await main.call("send_message", { agentId, text: "互換の知らせ" });
  await own.call("report_result", {
    agentId: "other",
    status: "success",
    summary: "互換",
    response: "互換",
  });
  await world.ask("GET", "/api/notifications");
  await own.call("get_notifications");
  await own.call("get_notifications");
  await own.call("report_result", {
    agentId,
    status: "success",
    summary: "互換",
    response: "互換",
  });
  await own.call("report_completed", { result: "success", summary: "互換" });
}

/** The tools of an orchestrator that does nothing by itself. */
export async function playOrchestrator(world: World, over: Over): Promise<void> {
  const { recorder, place } = world;
  const main = await aRecordedClient(recorder, "main", over());
  const started = await main.call("run_magentic", {
    description: "互換の自律",
    task: HANGING,
    completionCriteria: "互換",
    scope: "互換",
    maxIterations: 1,
    workingDirectory: place.dir,
  });
  const agentId = idIn(started, "orchestratorAgentId");
  await said(world, agentId);
  const orchestrator = await aRecordedClient(recorder, "orchestrator", over(bearer(agentId)));
  await orchestrator.list();
  await orchestrator.call("update_ledger", {});
  await orchestrator.call("update_ledger", { task: ledger() });
  const group = await orchestrator.call("create_group", { description: "互換の子" });
  const run = { groupId: group["groupId"], agents: [{ role: "impl-code", prompt: "互換" }] };
  const ids = agentIdsIn(await orchestrator.call("run_agents", run));
  await settled(world, ids);
  await orchestrator.call("update_ledger", { progress: progress() });
  await orchestrator.call("run_agents", run);
  await orchestrator.call("run_magentic", { description: "互換" });
  await orchestrator.call("report_result", {
    agentId,
    status: "success",
    summary: "互換",
    response: "互換",
  });
}

function agent(role: string, prompt: string) {
  return { role, prompt };
}

function bearer(agentId: string): Record<string, string> {
  return { authorization: `Bearer ${tokenOf(agentId)}` };
}

/** Until the processes are gone and what they wrote was read. */
async function settled(world: World, agentIds: readonly string[]): Promise<void> {
  const result = z.looseObject({ exitCode: z.unknown().optional() }).nullable();
  for (const agentId of agentIds) {
    await world.waitFor(
      `/api/agents/${agentId}`,
      (found: Json) => result.parse(found["result"])?.exitCode !== undefined,
    );
  }
}

async function said(world: World, agentId: string): Promise<void> {
  await world.waitFor(`/api/agents/${agentId}`, ({ lastMessage }) =>
    String(lastMessage).endsWith("互換"),
  );
}

function ledger(): Json {
  const names = ["factsGiven", "factsToLookUp", "factsToDerive", "guesses", "plan"];
  return Object.fromEntries(names.map((name) => [name, "互換"]));
}

function progress(): Json {
  const words = ["nextAction", "instruction"];
  const names = ["requestSatisfied", "inLoop", "progressMade", ...words];
  return Object.fromEntries(
    names.map((name) => [name, { answer: words.includes(name) ? "互換" : false, reason: "互換" }]),
  );
}
