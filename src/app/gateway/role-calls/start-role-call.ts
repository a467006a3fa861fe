import { truncate } from "../../../base/truncate.ts";
import type { Agent } from "../../../domain/agents/agent.ts";
import { isRoleCall, ROLE_SERVER, roleRef } from "../../../domain/gateway/role-call.ts";
import type { AgentId, ExecutionId, ToolCallId } from "../../../domain/ids.ts";
import { canonicalJson } from "../../../domain/text/canonical.ts";
import { AT_ONCE, insertAgents } from "../../agents/insert-agents.ts";
import { planAgent, type PlannedAgent } from "../../agents/plan-agent.ts";
import type { AgentIdentity, Core } from "../../core.ts";
import { insertGroup } from "../../groups/create-group.ts";
import type { Queries, UnitOfWork } from "../../ports/store.ts";
import type { JsonObject } from "../../ports/upstream.ts";
import { requireNotStopped } from "../../tasks/interrupt/stop-requested.ts";
import { planPlaces } from "../../workspaces/plan-places.ts";
import { authorizeCall } from "../authorize-call.ts";
import type { CallAuthorization } from "../call-case.ts";
import { recordCallIntent } from "../record-call-intent.ts";

const DESCRIPTION_CHARS = 200;

export type RoleCall = {
  readonly identity: AgentIdentity;
  readonly roleId: string;
  readonly prompt: string;
  readonly workingDirectory: string | null;
  readonly executionId: ExecutionId;
  /** The arguments as they are hashed and stored. */
  readonly args: JsonObject;
};

export type Started = { readonly callId: ToolCallId; readonly childId: AgentId };

/** The agent that this call started before, or a new one if the policy allows it. */
export async function startOrFind(
  core: Core,
  call: RoleCall,
): Promise<Started | Extract<CallAuthorization, { kind: "wait" }>> {
  const running = await findStarted(core.store, call);
  if (running) {
    await requireNotStopped(core.store, call.identity.agentId);
    return running;
  }
  const requested = await planAgent(core, call.identity, {
    role: call.roleId,
    prompt: call.prompt,
    workingDirectory: call.workingDirectory,
    timeoutMs: null,
  });
  const [planned = requested] = await planPlaces(core, call.identity, [requested]);
  return core.store.transaction(async (unit) => {
    // Locks the agent: the same call at another server must not start a second child.
    await unit.getAgent(call.identity.agentId);
    const known = await findStarted(unit, call);
    if (known) return known;
    const authorized = await authorizeCall(core, unit, {
      agentId: call.identity.agentId,
      ref: roleRef(call.roleId),
      args: call.args,
      isReadOnly: false,
      isCheckDemanded: false,
    });
    if (authorized.kind === "wait") return authorized;
    if (authorized.kind === "took_effect") throw new Error("No answer of an agent is ever lost.");
    return startChild(core, unit, call, planned, authorized);
  });
}

/** A call in flight or done; one that failed or was stopped can be retried. */
async function findStarted(
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

async function startChild(
  core: Core,
  unit: UnitOfWork,
  call: RoleCall,
  planned: PlannedAgent,
  authorized: Extract<CallAuthorization, { kind: "pass" }>,
): Promise<Started> {
  const task = await unit.getTask(authorized.execution.taskId);
  if (!task) throw new Error(`The task of ${authorized.execution.id} is not in the store.`);
  const group = await insertGroup(core, unit, {
    description: truncate(call.prompt.split("\n", 1)[0] ?? "", DESCRIPTION_CHARS),
    mode: "concurrent",
    parentGroupId: task.groupId,
    magentic: null,
  });
  const resumes = await lastChild(unit, call);
  const [child] = await insertAgents(core, unit, call.identity, group, [
    { ...planned, ...AT_ONCE, resumes },
  ]);
  if (!child) throw new Error("The agent was not inserted.");
  const callId = `call-${core.random.ulid(core.clock.now())}` as const;
  await recordCallIntent(core, unit, authorized, {
    id: callId,
    wanted: {
      agentId: call.identity.agentId,
      ref: roleRef(call.roleId),
      args: call.args,
      isReadOnly: false,
      isCheckDemanded: false,
    },
    server: ROLE_SERVER,
    agentId: child.id,
  });
  return { callId, childId: child.id };
}

/** The agent that ended to wait for a person; the next agent continues its conversation. */
async function lastChild(unit: UnitOfWork, call: RoleCall): Promise<Agent | null> {
  const args = canonicalJson(call.args);
  const last = (await unit.listToolCalls(call.executionId)).findLast(
    (each) => isRoleCall(each) && each.args === args && each.status === "cancelled",
  );
  return last ? ((await unit.getAgent(last.agentId)) ?? null) : null;
}
