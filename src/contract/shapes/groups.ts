import { z } from "zod";
import { GROUP_MODES, GROUP_STATUSES, type Group } from "../../domain/groups/group.ts";
import { iso, isoOrNull } from "./iso.ts";

const judgementShape = <Answer extends z.ZodType>(answer: Answer) =>
  z.object({ answer, reason: z.string() });

export const ledgerShape = z.object({
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

/** A group, with its progress if it is sequential or magentic. */
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
