import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { agentCardShape } from "../shapes/agents.ts";
import { groupShape } from "../shapes/groups.ts";
import { usageRowShape } from "../shapes/history.ts";
import { cursor, idText, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listGroups = {
  ...NO_INPUT,
  method: "get",
  path: "/api/groups",
  summary: "Groups, newest first.",
  query: z.strictObject({
    view: z
      .enum(["active", "all-in-view"])
      .default("all-in-view")
      .describe("all-in-view: also deleted groups that still have an agent in view"),
    limit: limit(500, 100),
    cursor,
  }),
  answer: z.object({ groups: z.array(groupShape), nextCursor: z.string().nullable() }),
} as const satisfies RouteContract;

export const createGroup = {
  ...NO_INPUT,
  method: "post",
  path: "/api/groups",
  summary: "Create a group.",
  body: z.strictObject({
    description: z.string().trim().min(1).max(2_000),
    mode: z.enum(["concurrent", "sequential"]).default("concurrent"),
    parentGroupId: idText.optional(),
  }),
  answer: groupShape,
  status: 201,
} as const satisfies RouteContract;

export const getGroup = {
  ...ONLY_ID,
  method: "get",
  path: "/api/groups/{id}",
  summary:
    "One group with its agents, its stages or ledger, the tokens used so far and what they cost.",
  query: z.strictObject({ cursor }),
  answer: groupShape.extend({
    agents: z.array(agentCardShape).describe("Newest first"),
    totalAgents: z.number(),
    nextCursor: z
      .string()
      .nullable()
      .describe("For GET /api/groups/{id}?cursor=…: the next agents"),
    usage: z.array(usageRowShape.omit({ day: true })),
  }),
} as const satisfies RouteContract;

export const deleteGroup = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/groups/{id}",
  summary: "Delete a group whose agents are all settled; the history keeps them.",
  answer: z.object({ deleted: z.boolean(), groupId: z.string() }),
} as const satisfies RouteContract;

export const stopGroup = {
  ...ONLY_ID,
  method: "post",
  path: "/api/groups/{id}/stop",
  summary: "Stop every agent of a group and of the groups that work for it.",
  status: 202,
  answer: z.object({ groupId: z.string(), stopping: z.array(z.string()) }),
} as const satisfies RouteContract;
