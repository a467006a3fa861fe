import { z } from "zod";
import type { Agent } from "../../domain/agents/agent.ts";
import { GROUP_MODES, GROUP_STATUSES, type Group } from "../../domain/groups/group.ts";
import { agentSummary, agentSummaryShape, usageShape } from "./agents.ts";
import { iso, isoOrNull } from "./iso.ts";

/** What a card of the dashboard shows (seed 8.2.1), in REST and in the snapshot alike. */
export const agentCardShape = agentSummaryShape.extend({
  runner: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  stageIndex: z.number().nullable(),
  lastMessage: z.string().describe("The end of what it said last"),
  promptSentAt: z.string().optional().describe("When its CLI took the prompt, if it says so"),
  currentTool: z
    .object({ name: z.string(), startedAt: z.string().nullable() })
    .nullable()
    .optional()
    .describe("The tool it is using now"),
  lastTool: z
    .object({ name: z.string(), ok: z.boolean(), output: z.string() })
    .nullable()
    .optional()
    .describe("The tool that ended last, and the beginning of what it answered"),
  usage: usageShape.optional().describe("Left out: its CLI has told nothing of it so far"),
  spent: z
    .object({ cost: z.number(), currency: z.string() })
    .optional()
    .describe("Left out: nobody knows"),
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
  };
}

const judgementShape = <Answer extends z.ZodType>(answer: Answer) =>
  z.object({ answer, reason: z.string() });

const ledgerShape = z.object({
  task: z
    .object({
      factsGiven: z.string(),
      factsToLookUp: z.string(),
      factsToDerive: z.string(),
      guesses: z.string(),
      plan: z.string(),
    })
    .nullable(),
  progress: z
    .object({
      requestSatisfied: judgementShape(z.boolean()),
      inLoop: judgementShape(z.boolean()),
      progressMade: judgementShape(z.boolean()),
      nextAction: judgementShape(z.string()),
      instruction: judgementShape(z.string()),
    })
    .nullable(),
});

/** Seed 3.2, plus where a sequential or magentic group stands. */
export const groupShape = z.object({
  groupId: z.string(),
  description: z.string(),
  mode: z.enum(GROUP_MODES),
  status: z.enum(GROUP_STATUSES),
  createdAt: z.string(),
  deletedAt: z.string().nullable(),
  parentGroupId: z.string().optional(),
  orchestratorAgentId: z.string().optional(),
  rehearsal: z
    .boolean()
    .optional()
    .describe("true: all its agents are rehearsals. In GET /api/groups/{id}"),
  stages: z
    .object({ total: z.number(), current: z.number(), onFailure: z.enum(["continue", "stop"]) })
    .optional(),
  magentic: z
    .object({
      maxIterations: z.number(),
      iterations: z.number(),
      stalls: z.number(),
      availableRoles: z.array(z.string()),
      ledger: ledgerShape,
    })
    .optional(),
});

export type WireGroup = z.infer<typeof groupShape>;

export function wireGroup(group: Group): WireGroup {
  const { magentic } = group;
  return {
    groupId: group.id,
    description: group.description,
    mode: group.mode,
    status: group.status,
    createdAt: iso(group.createdAt),
    deletedAt: isoOrNull(group.deletedAt),
    ...(group.parentGroupId === null ? {} : { parentGroupId: group.parentGroupId }),
    ...(group.orchestratorAgentId === null
      ? {}
      : { orchestratorAgentId: group.orchestratorAgentId }),
    ...(group.stages === null ? {} : { stages: group.stages }),
    ...(magentic === null
      ? {}
      : {
          magentic: {
            maxIterations: magentic.maxIterations,
            iterations: magentic.iterations,
            stalls: magentic.stalls,
            availableRoles: [...magentic.availableRoles],
            ledger: magentic.ledger,
          },
        }),
  };
}

export const roleSummaryShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  model: z.string(),
  runner: z.string(),
  available: z.boolean(),
  reason: z.string().optional().describe("Why it is not available"),
  /** Its CLI has not named its models yet; an agent of it waits for that. */
  checking: z.boolean().optional(),
});
export type WireRole = z.infer<typeof roleSummaryShape>;
