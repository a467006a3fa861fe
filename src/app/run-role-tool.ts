import { isSettled } from "../domain/agent.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { AgentId, ExecutionId, ToolCallId } from "../domain/ids.ts";
import { Refusal } from "../domain/refusal.ts";
import type { AgentResult } from "../domain/result.ts";
import { isRoleCall, ROLE_SERVER, roleRef, roleToolName } from "../domain/role-call.ts";
import { startOfText } from "../domain/start-of-text.ts";
import type { ToolCall } from "../domain/tool-call.ts";
import { admitCallIn } from "./admit-call.ts";
import { notInAnExecution, parked } from "./call-refusals.ts";
import type { Core, Identity } from "./core.ts";
import { insertGroup } from "./create-group.ts";
import { endRoleCallIn } from "./end-role-call.ts";
import { holdCall, park, type Patience } from "./hold-call.ts";
import { AT_ONCE, insertAgents, startInserted, type Inserted } from "./insert-agents.ts";
import { judgeCallIn, type Judgement } from "./judge-call.ts";
import { ORCHESTRATOR, planAgent, type PlannedAgent } from "./plan-agent.ts";
import type { Queries, StoredEvent, UnitOfWork } from "./ports/store.ts";
import type { JsonObject } from "./ports/upstream.ts";
import { requireNotStopped } from "./stop-requested.ts";
import { waitAgents } from "./wait-agents.ts";

const MAX_PROMPT_CHARS = 1_000_000;
const DESCRIPTION_CHARS = 200;

export type RoleTool = {
  readonly name: string;
  readonly roleId: string;
  readonly description: string;
};

/** What an executor can hand work to: one tool per role. */
export function roleTools(core: Pick<Core, "roles">): readonly RoleTool[] {
  return [...core.roles.values()]
    .filter(({ id }) => id !== ORCHESTRATOR)
    .map(({ id, name, description }) => ({
      name: roleToolName(id),
      roleId: id,
      description: `${name}: ${description}. Runs one such agent and waits for it; while waitMore is true, call again with the same arguments.`,
    }));
}

export type CallRoleTool = Patience & { readonly name: string; readonly args: JsonObject };

type RoleCall = {
  readonly identity: Extract<Identity, { kind: "agent" }>;
  readonly roleId: string;
  readonly prompt: string;
  readonly workingDirectory: string | null;
  readonly executionId: ExecutionId;
  /** As they are hashed and stored. */
  readonly args: JsonObject;
};

/**
 * An executor has an agent of a role do a part of the work, under the same policy as any tool,
 * and waits for it in chunks. The same call again finds the same agent.
 */
export async function callRoleTool(
  core: Core,
  identity: Identity,
  input: CallRoleTool,
): Promise<Record<string, unknown>> {
  const call = await readCall(core, identity, input);
  const since = core.clock.now();
  for (;;) {
    const started = await startOrFind(core, call);
    if ("kind" in started) {
      const held = { ...input, agentId: call.identity.agentId, since, canPark: true };
      await holdCall(core, started.approval, held);
      continue;
    }
    const patienceMs = Math.max(0, since + input.patienceMs - core.clock.now());
    return waitFor(core, call, started, { ...input, patienceMs });
  }
}

async function readCall(
  core: Core,
  identity: Identity,
  { name, args }: CallRoleTool,
): Promise<RoleCall> {
  const tool = roleTools(core).find((each) => each.name === name);
  if (!tool) {
    throw new Refusal(
      "UNKNOWN_TOOL",
      `There is no tool ${name} for you.`,
      "Call tools/list to see what there is.",
    );
  }
  const agent = identity.kind === "agent" ? await core.store.getAgent(identity.agentId) : undefined;
  const execution = await core.store.getExecution(agent?.executionId ?? "");
  if (identity.kind === "main" || !agent || !execution) throw notInAnExecution();
  if (!execution.agentIds.includes(agent.id)) {
    throw new Refusal(
      "NOT_ALLOWED",
      "Only the executor of a task hands work to agents of other roles.",
      "Do your part and finish with report_result.",
    );
  }
  return { identity, roleId: tool.roleId, executionId: execution.id, ...readArgs(name, args) };
}

function readArgs(name: string, args: JsonObject) {
  const { prompt, workingDirectory = null, ...rest } = args;
  const isGood =
    typeof prompt === "string" &&
    prompt.trim().length > 0 &&
    prompt.length <= MAX_PROMPT_CHARS &&
    (workingDirectory === null || typeof workingDirectory === "string") &&
    Object.keys(rest).length === 0;
  if (isGood) {
    const given = { prompt, ...(workingDirectory === null ? {} : { workingDirectory }) };
    return { prompt, workingDirectory, args: given };
  }
  throw new Refusal(
    "INVALID_ARGUMENTS",
    `${name} takes {prompt, workingDirectory?}, both texts.`,
    "Say in prompt everything the agent must know: it does not know this conversation.",
  );
}

type Started = { readonly callId: ToolCallId; readonly childId: AgentId };

/** The agent this very call has started before, or a new one if the policy lets it. */
async function startOrFind(
  core: Core,
  call: RoleCall,
): Promise<Started | Extract<Judgement, { kind: "wait" }>> {
  const running = await findIn(core.store, call);
  if (running) {
    await requireNotStopped(core.store, call.identity.agentId);
    return running;
  }
  const planned = await planAgent(core, call.identity, {
    role: call.roleId,
    prompt: call.prompt,
    workingDirectory: call.workingDirectory,
    timeoutMs: null,
  });
  const started = await core.store.transaction(async (unit) => {
    const known = await findIn(unit, call);
    if (known) return { ...known, inserted: undefined };
    const judged = await judgeCallIn(core, unit, {
      agentId: call.identity.agentId,
      ref: roleRef(call.roleId),
      args: call.args,
      isReadOnly: false,
    });
    if (judged.kind === "wait") return judged;
    if (judged.kind === "took_effect") throw new Error("No answer of an agent is ever lost.");
    return startIn(core, unit, call, planned, judged);
  });
  if ("kind" in started) {
    core.live.publish(started.events);
    return started;
  }
  if (started.inserted) startInserted(core, call.identity, started.inserted);
  return started;
}

/** Under way or done; one that failed or was stopped may be tried again. */
async function findIn(
  queries: Pick<Queries, "listToolCalls">,
  call: RoleCall,
): Promise<Started | undefined> {
  const args = canonicalJson(call.args);
  const { tool } = roleRef(call.roleId);
  const found = (await queries.listToolCalls(call.executionId)).findLast(
    (each) =>
      isRoleCall(each) &&
      each.tool === tool &&
      each.args === args &&
      (each.status === "forwarded" || each.status === "done"),
  );
  return found && { callId: found.id, childId: found.agentId };
}

async function startIn(
  core: Core,
  unit: UnitOfWork,
  call: RoleCall,
  planned: PlannedAgent,
  judged: Extract<Judgement, { kind: "pass" }>,
): Promise<Started & { readonly inserted: Inserted }> {
  const task = await unit.getTask(judged.execution.taskId);
  if (!task) throw new Error(`The task of ${judged.execution.id} is not in the store.`);
  const { group, event } = await insertGroup(core, unit, {
    description: startOfText(call.prompt.split("\n", 1)[0] ?? "", DESCRIPTION_CHARS),
    mode: "concurrent",
    parentGroupId: task.groupId,
    magentic: null,
  });
  const resumeSession = await sessionOf(unit, call);
  const inserted = await insertAgents(core, unit, call.identity, group, [
    { ...planned, ...AT_ONCE, resumeSession },
  ]);
  const childId = inserted.agents[0]?.id;
  if (childId === undefined) throw new Error("The agent was not inserted.");
  const callId = `call-${core.random.ulid(core.clock.now())}` as const;
  const admitted = await admitCallIn(core, unit, judged, {
    id: callId,
    wanted: {
      agentId: call.identity.agentId,
      ref: roleRef(call.roleId),
      args: call.args,
      isReadOnly: false,
    },
    server: ROLE_SERVER,
    agentId: childId,
  });
  const events: StoredEvent[] = [event, ...inserted.events, ...admitted.events];
  return { callId, childId, inserted: { agents: inserted.agents, events } };
}

/** Of the agent that ended to wait for a person, so that the next one goes on with its words. */
async function sessionOf(unit: UnitOfWork, call: RoleCall): Promise<string | null> {
  const args = canonicalJson(call.args);
  const last = (await unit.listToolCalls(call.executionId)).findLast(
    (each) => isRoleCall(each) && each.args === args && each.status === "cancelled",
  );
  return last ? (await unit.getProgress(last.agentId)).sessionId : null;
}

async function waitFor(
  core: Core,
  call: RoleCall,
  { callId, childId }: Started,
  patience: Patience,
): Promise<Record<string, unknown>> {
  await waitAgents(
    core,
    {
      agentIds: [childId],
      mode: "all",
      timeoutMs: null,
      cursor: null,
      maxBlockMs: patience.patienceMs,
      waiter: call.identity.agentId,
    },
    { signal: patience.signal, beat: () => patience.beat(`waiting for ${childId}`) },
  );
  const child = await core.store.getAgent(childId);
  const result = child && isSettled(child) ? await core.store.getResult(childId) : undefined;
  if (!result) return { agentId: childId, waitMore: true, next: NEXT };
  const events = await core.store.transaction(async (unit) => {
    const row: ToolCall | undefined = await unit.getToolCall(callId);
    return row ? endRoleCallIn(core, unit, row, result) : [];
  });
  core.live.publish(events);
  if (result.outcome === "waiting") return goOnOrPark(core, call);
  return answerOf(result);
}

const NEXT = "The agent is still at work. Call this tool again with the same arguments.";

/** The agent ended to wait for a person, so its executor does too; unless that is over. */
async function goOnOrPark(core: Core, call: RoleCall): Promise<Record<string, unknown>> {
  const { approvals } = await core.store.listApprovals({
    executionId: call.executionId,
    statuses: ["pending"],
    limit: 1,
  });
  const [pending] = approvals;
  if (pending && (await park(core, pending, call.identity.agentId))) throw parked(pending);
  return {
    waitMore: true,
    next: "A person has decided. Call this tool again with the same arguments.",
  };
}

function answerOf(result: AgentResult): Record<string, unknown> {
  const { agentId, status, summary, response, editedFiles, createdFiles, errorMessage } = result;
  return {
    agentId,
    status,
    summary,
    response,
    editedFiles,
    createdFiles,
    ...(errorMessage === null ? {} : { errorMessage }),
  };
}
