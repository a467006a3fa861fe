import { isSettled } from "../../../domain/agents/agent.ts";
import type { AgentResult } from "../../../domain/agents/result.ts";
import { roleCallName } from "../../../domain/gateway/role-call.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { ORCHESTRATOR } from "../../agents/plan-agent.ts";
import { waitAgents } from "../../agents/wait-agents.ts";
import type { Core, Identity } from "../../core.ts";
import type { JsonObject } from "../../ports/upstream.ts";
import { notInAnExecution, parked } from "../call-refusals.ts";
import { holdCall, park, type Patience } from "../hold-call.ts";
import { endRoleCall } from "./end-role-call.ts";
import { startOrFind, type RoleCall, type Started } from "./start-role-call.ts";

const MAX_PROMPT_CHARS = 1_000_000;

export type RoleCallTool = {
  readonly name: string;
  readonly roleId: string;
  readonly description: string;
};

/** The roles to which an executor can delegate, as one tool each. */
export function roleCallTools(core: Pick<Core, "roles">): readonly RoleCallTool[] {
  return [...core.roles.values()]
    .filter(({ id }) => id !== ORCHESTRATOR)
    .map(({ id, name, description }) => ({
      name: roleCallName(id),
      roleId: id,
      description: `${name}: ${description}. Runs one such agent and waits for it; while waitMore is true, call again with the same arguments.`,
    }));
}

export type CallRole = Patience & { readonly name: string; readonly args: JsonObject };

/**
 * An executor delegates work to an agent of a role, under the same policy as any tool, and waits for
 * it in chunks. Idempotent: the same call again finds the same agent.
 */
export async function callRole(
  core: Core,
  identity: Identity,
  input: CallRole,
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
  { name, args }: CallRole,
): Promise<RoleCall> {
  const tool = roleCallTools(core).find((each) => each.name === name);
  if (!tool) {
    throw new Refusal("UNKNOWN_TOOL", {
      en: [`There is no tool ${name} for you.`, "Call tools/list to see what there is."],
      ja: [
        `あなたが使えるツールに ${name} はありません。`,
        "使えるものは tools/list で確かめられます。",
      ],
    });
  }
  const agent = identity.kind === "agent" ? await core.store.getAgent(identity.agentId) : undefined;
  const execution = await core.store.getExecution(agent?.executionId ?? "");
  if (identity.kind !== "agent" || !agent || !execution) throw notInAnExecution();
  if (!execution.agentIds.includes(agent.id)) {
    throw new Refusal("NOT_ALLOWED", {
      en: [
        "Only the executor of a task hands work to agents of other roles.",
        "Do your part and finish with report_result.",
      ],
      ja: [
        "ほかの職種のエージェントに任せられるのは、タスクの実行者だけです。",
        "自分の分を行い、report_result で終わってください。",
      ],
    });
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
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `${name} takes {prompt, workingDirectory?}, both texts.`,
      "Say in prompt everything the agent must know: it does not know this conversation.",
    ],
    ja: [
      `${name} の引数は {prompt, workingDirectory?} で、どちらも文字列です。`,
      "任せる相手はこの会話を知りません。必要なことをすべて prompt に書いてください。",
    ],
  });
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
      // The next step may use the same files: a process that lingers could still change them.
      until: "settled",
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
  await core.store.transaction(async (unit) => {
    const row = await unit.getToolCall(callId);
    if (row) await endRoleCall(core, unit, row, result);
  });
  if (result.outcome === "waiting") return goOnOrPark(core, call);
  return answerOf(result);
}

const NEXT = "The agent is still at work. Call this tool again with the same arguments.";

/** The agent ended to wait for a person, so its executor is parked too, unless that was decided. */
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
