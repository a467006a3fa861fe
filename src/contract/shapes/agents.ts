import { z } from "zod";
import { AGENT_STATUSES, type Agent } from "../../domain/agents/agent.ts";
import { costOfAgent, type PriceList } from "../../domain/agents/cost.ts";
import { DEGRADED_REASONS, degradedMessage, degradedReason } from "../../domain/agents/degraded.ts";
import {
  durationOf,
  RESULT_STATUSES,
  type AgentResult,
  type ResultChange,
} from "../../domain/agents/result.ts";
import { FAILURE_KINDS, type Failure } from "../../domain/agents/runner.ts";
import { VERDICTS } from "../../domain/tasks/execution.ts";
import { attentionText } from "../../domain/workspaces/attention.ts";
import { iso, isoOrNull } from "./iso.ts";

/** It runs, but without our MCP server, so it cannot report. */
export const degradedShape = z.object({ reason: z.enum(DEGRADED_REASONS), message: z.string() });

/** The wire shapes of an agent and its result, the same at every door. */
export const agentSummaryShape = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: z.enum(AGENT_STATUSES),
  startedAt: z.string().nullable(),
  elapsed_ms: z.number(),
  toolCallCount: z.number(),
  /** Set while a queued agent waits for a person, for example for a key. */
  waitingFor: z.string().optional(),
  degraded: degradedShape
    .optional()
    .describe("It runs, but has not connected to Kuromajutsu, so it cannot report"),
});

export function agentSummary(agent: Agent, toolCallCount: number, now: number) {
  return {
    agentId: agent.id,
    groupId: agent.groupId,
    role: agent.role,
    model: agent.model,
    status: agent.status,
    startedAt: isoOrNull(agent.startedAt),
    elapsed_ms: durationOf(agent, now),
    toolCallCount,
    ...degradedOf(agent),
  };
}

function degradedOf(agent: Agent): { degraded?: z.infer<typeof degradedShape> } {
  const reason = degradedReason(agent);
  if (reason === null) return {};
  return { degraded: { reason, message: degradedMessage(agent.runner, reason) } };
}

export const usageShape = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});

const spentShape = z.object({ cost: z.number(), currency: z.string() });

/** The kind of a failure that is known, such as a quota. */
const failureShape = z.object({
  kind: z.enum(FAILURE_KINDS),
  resetsAt: z.string().optional(),
});

/** Requests to the model that failed and were sent again. */
export const retriesShape = z.object({ count: z.number(), lastReason: z.string().nullable() });

export const resultShape = z.object({
  agentId: z.string(),
  groupId: z.string(),
  status: z.enum(RESULT_STATUSES),
  /** Set by report_completed: tells whether `cancelled` means blocked, cancelled or waiting. */
  outcome: z.enum(VERDICTS).optional(),
  summary: z.string(),
  response: z.string(),
  editedFiles: z.array(z.string()),
  createdFiles: z.array(z.string()),
  deletedFiles: z.array(z.string()).optional(),
  duration_ms: z.number(),
  model: z.string(),
  /** The model as the CLI names it. */
  reportedModel: z.string().optional(),
  role: z.string(),
  toolCallCount: z.number(),
  errorMessage: z.string().optional(),
  failure: failureShape.optional(),
  exitCode: z.union([z.number(), z.literal("unknown")]).optional(),
  usage: usageShape.optional(),
  /** As the CLI reported it, or by the price list. */
  spent: spentShape.optional(),
  retries: retriesShape.optional(),
  warnings: z.array(z.string()).optional(),
  /**
   * Only of an agent with its own worktree: its change, compared with `base`. At most 50 paths;
   * get_changes has all. `conflictsWith`: agents whose changes cannot be merged with this one.
   */
  branch: z.string().optional(),
  base: z.string().optional(),
  changedFiles: z.array(z.string()).optional(),
  conflictsWith: z.array(z.string()).optional(),
  /** true: a rehearsal; no real work was done. */
  rehearsal: z.boolean().optional(),
  timestamp: z.string(),
});

export function wireResult(result: AgentResult, prices: PriceList): z.infer<typeof resultShape> {
  const { failure, retries, deletedFiles, reportedModel } = result;
  const { cost, currency } = costOfAgent(
    result.model,
    { ...result, reportedModel: reportedModel ?? null, costUsd: result.costUsd ?? null },
    prices,
  );
  return {
    agentId: result.agentId,
    groupId: result.groupId,
    status: result.status,
    ...(result.outcome === undefined ? {} : { outcome: result.outcome }),
    summary: result.summary,
    response: result.response,
    editedFiles: [...result.editedFiles],
    createdFiles: [...result.createdFiles],
    ...(deletedFiles && { deletedFiles: [...deletedFiles] }),
    duration_ms: result.durationMs,
    model: result.model,
    ...(reportedModel !== undefined && { reportedModel }),
    role: result.role,
    toolCallCount: result.toolCallCount,
    ...(result.errorMessage === null ? {} : { errorMessage: result.errorMessage }),
    ...(failure && { failure: wireFailure(failure) }),
    ...(result.exitCode === null ? {} : { exitCode: result.exitCode }),
    ...(result.usage === null ? {} : { usage: result.usage }),
    ...(cost === null ? {} : { spent: { cost, currency } }),
    ...(retries && { retries }),
    ...warningsOf(result),
    ...(result.change && wireResultChange(result.change)),
    ...(result.rehearsal ? { rehearsal: true } : {}),
    timestamp: iso(result.at),
  };
}

/** What a person must look at in the change is a warning, too. */
function warningsOf({ warnings, change }: AgentResult): { warnings?: string[] } {
  const all = [...warnings, ...(change?.attention ?? []).map((each) => attentionText(each, "en"))];
  return all.length === 0 ? {} : { warnings: all };
}

function wireResultChange({ branch, base, paths, conflictsWith = [] }: ResultChange) {
  return {
    branch,
    base,
    changedFiles: [...paths],
    ...(conflictsWith.length > 0 && { conflictsWith: [...conflictsWith] }),
  };
}

function wireFailure({ kind, resetsAt }: Failure): z.infer<typeof failureShape> {
  return { kind, ...(resetsAt !== null && { resetsAt: iso(resetsAt) }) };
}

/** An agent on the dashboard, in REST and in the live snapshot. */
export const agentCardShape = agentSummaryShape.extend({
  runner: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  stageIndex: z.number().nullable(),
  lastMessage: z.string().describe("The end of its last message"),
  promptSentAt: z
    .string()
    .optional()
    .describe("When the CLI accepted the prompt, if the CLI reports it"),
  currentTool: z
    .object({ name: z.string(), startedAt: z.string().nullable() })
    .nullable()
    .optional()
    .describe("The tool it is using now"),
  lastTool: z
    .object({ name: z.string(), ok: z.boolean(), output: z.string() })
    .nullable()
    .optional()
    .describe("The last finished tool, and the beginning of its output"),
  usage: usageShape.optional().describe("Left out: the CLI has not reported it yet"),
  spent: spentShape.optional().describe("Left out: unknown"),
  workspaceId: z.string().optional().describe("Its own worktree; left out: it has none"),
});

export type AgentCard = z.infer<typeof agentCardShape>;

export function agentCard(
  agent: Agent,
  seen: Pick<
    AgentCard,
    | "toolCallCount"
    | "lastMessage"
    | "promptSentAt"
    | "currentTool"
    | "lastTool"
    | "usage"
    | "spent"
  >,
  now: number,
): AgentCard {
  return {
    ...agentSummary(agent, seen.toolCallCount, now),
    runner: agent.runner,
    createdAt: iso(agent.createdAt),
    endedAt: isoOrNull(agent.endedAt),
    stageIndex: agent.stageIndex,
    lastMessage: seen.lastMessage,
    ...(seen.promptSentAt && { promptSentAt: seen.promptSentAt }),
    currentTool: seen.currentTool ?? null,
    lastTool: seen.lastTool ?? null,
    ...(seen.usage && { usage: seen.usage }),
    ...(seen.spent && { spent: seen.spent }),
    ...(agent.workspaceId !== null && { workspaceId: agent.workspaceId }),
  };
}
