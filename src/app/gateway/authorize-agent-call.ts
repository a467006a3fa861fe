import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import { agentCallBinding, outcomeBinding } from "../../domain/gateway/call-binding.ts";
import { isCheckedOutsideTask } from "../../domain/gateway/human-check.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { ToolRef } from "../../domain/tasks/draft.ts";
import { toolName } from "../../domain/tasks/step-tool.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { requireRoomForCall } from "../approvals/limit-open-approvals.ts";
import { listAllApprovals } from "../approvals/list-all-approvals.ts";
import { OUTCOME_TITLES } from "../approvals/outcome-approval.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { JsonObject, UpstreamTool } from "../ports/upstream.ts";
import { approvalExpired, callRejected } from "./call-refusals.ts";

/** A call that an agent outside an execution wants to make. */
export type AgentWants = {
  readonly agent: Agent;
  readonly tool: UpstreamTool;
  readonly args: JsonObject;
};

export type AgentCallAuthorization =
  /** `approval`: used up by the call; null: no human check. */
  | { readonly kind: "pass"; readonly approval: Approval | null }
  /** A person confirmed that the lost call took effect, so it is not sent again. */
  | { readonly kind: "took_effect"; readonly approval: Approval }
  | { readonly kind: "wait"; readonly approval: Approval };

/** Decides whether the call is sent, in the transaction that also commits its intent. */
export async function authorizeAgentCall(
  core: Core,
  unit: UnitOfWork,
  wants: AgentWants,
): Promise<AgentCallAuthorization> {
  const known = await authorizeByOutcome(core, unit, wants);
  if (known) return known;
  if (!isCheckedOutsideTask(wants.tool)) return { kind: "pass", approval: null };
  const binding = core.tokens.hash(agentCallBinding(wants.agent.id, refOf(wants), wants.args));
  const [newest] = await unit.listApprovalsByBinding(binding);
  if (newest?.status === "rejected") throw callRejected(newest);
  if (newest?.status === "expired") throw approvalExpired(newest);
  if (newest?.status === "pending") return { kind: "wait", approval: newest };
  if (newest?.status === "approved" && newest.usedAt === null) {
    return { kind: "pass", approval: newest };
  }
  const wide = await findWide(unit, wants);
  if (wide) return { kind: "pass", approval: wide };
  await requireRoomForCall(unit, wants.agent.id);
  return { kind: "wait", approval: await ask(core, unit, wants, binding) };
}

/** If an earlier answer was lost, the person's decision about its outcome counts. */
async function authorizeByOutcome(
  core: Core,
  unit: UnitOfWork,
  wants: AgentWants,
): Promise<AgentCallAuthorization | undefined> {
  const binding = agentOutcomeBinding(core, wants.agent, refOf(wants), canonicalJson(wants.args));
  const [asked] = await unit.listApprovalsByBinding(binding);
  const isConfirmed = asked?.status === "approved" && asked.choice?.answer === "done";
  if (!asked || (asked.usedAt !== null && !isConfirmed)) return undefined;
  switch (asked.status) {
    case "pending":
      return { kind: "wait", approval: asked };
    case "approved":
      return isConfirmed
        ? { kind: "took_effect", approval: asked }
        : { kind: "pass", approval: asked };
    case "rejected":
      throw callRejected(asked);
    case "expired":
      throw approvalExpired(asked);
    case "superseded":
    case "cancelled":
      return undefined;
  }
}

/** An approval for any arguments lets every later call of the tool by the same agent pass. */
async function findWide(unit: UnitOfWork, wants: AgentWants): Promise<Approval | undefined> {
  const approvals = await listAllApprovals(unit, {
    agentId: wants.agent.id,
    kind: "call",
    statuses: ["approved"],
  });
  return approvals.find(
    ({ choice, shown }) =>
      choice?.scope === "any_arguments" && shown["tool"] === toolName(refOf(wants)),
  );
}

async function ask(core: Core, unit: UnitOfWork, wants: AgentWants, binding: string) {
  const { agent, args } = wants;
  const tool = toolName(refOf(wants));
  return requestApproval(core, unit, {
    kind: "call",
    taskId: agent.taskId,
    requester: requesterOfAgent(agent),
    title: CALL_TITLES[core.settings.locale](tool),
    agentId: agent.id,
    binding,
    shown: { tool, args, askedBy: agent.id, role: agent.role },
  });
}

const CALL_TITLES = {
  ja: (tool: string) => `エージェントがツール ${tool} を使おうとしています`,
  en: (tool: string) => `An agent wants to call ${tool}`,
} as const;

/** The answer of a forwarded call was lost: asks a person whether it took effect. */
export async function askAgentOutcome(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  call: AgentCall,
): Promise<void> {
  const name = toolName(call);
  await requestApproval(core, unit, {
    kind: "outcome",
    taskId: agent.taskId,
    requester: requesterOfAgent(agent),
    title: OUTCOME_TITLES[core.settings.locale](name),
    agentId: agent.id,
    binding: agentOutcomeBinding(core, agent, call, call.args),
    choices: ["done", "repeat"],
    shown: {
      callId: call.id,
      tool: name,
      args: JSON.parse(call.args),
      stepId: null,
      forwardedAt: new Date(call.startedAt).toISOString(),
      error: call.error,
    },
  });
}

/** The lost call that an outcome approval is about. */
export async function findLostAgentCall(
  unit: UnitOfWork,
  { shown }: Approval,
): Promise<AgentCall | undefined> {
  const { callId } = shown;
  return typeof callId === "string" ? unit.getAgentCall(callId) : undefined;
}

/** The person for whom the agent was started, if known. */
export function requesterOfAgent({ id, requester }: Agent): string {
  return requester ?? `agent:${id}`;
}

function agentOutcomeBinding(
  core: Pick<Core, "tokens">,
  { id }: Agent,
  ref: ToolRef,
  args: string,
): string {
  return core.tokens.hash(outcomeBinding(id, ref, args));
}

function refOf({ tool }: AgentWants): ToolRef {
  return { server: tool.server, tool: tool.name };
}
