import { z } from "zod";
import { MERGE_STATUSES } from "../../domain/merges/merge.ts";
import type { RouteContract } from "../route-contract.ts";
import { mergeShape } from "../shapes/merges.ts";
import { cursor, idText, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listMerges = {
  ...NO_INPUT,
  method: "get",
  path: "/api/merges",
  summary: "Merges, newest first.",
  query: z.strictObject({
    groupId: idText.optional(),
    taskId: idText.optional(),
    status: z.enum(MERGE_STATUSES).optional(),
    limit: limit(200, 50),
    cursor,
  }),
  answer: z.object({ merges: z.array(mergeShape), nextCursor: z.string().nullable() }),
} as const satisfies RouteContract;

export const getMerge = {
  ...ONLY_ID,
  method: "get",
  path: "/api/merges/{id}",
  summary: "One merge with the output of its check.",
  answer: mergeShape.extend({
    checkOutput: z.string().nullable().describe("The end of what workspace.check wrote"),
    checkCommand: z.string().nullable(),
  }),
} as const satisfies RouteContract;

export const retryMerge = {
  ...ONLY_ID,
  method: "post",
  path: "/api/merges/{id}/retry",
  summary: "Put an approved merge that did not land into the queue again.",
  body: z.strictObject({ intoCheckout: z.boolean().optional() }),
  status: 202,
  answer: mergeShape,
} as const satisfies RouteContract;

export const cancelMerge = {
  ...ONLY_ID,
  method: "post",
  path: "/api/merges/{id}/cancel",
  summary: "Take a merge back before it lands.",
  answer: mergeShape,
} as const satisfies RouteContract;

export const undoMerge = {
  ...ONLY_ID,
  method: "post",
  path: "/api/merges/{id}/undo",
  summary: "Move the branch back, while nothing else has landed on it.",
  answer: mergeShape,
} as const satisfies RouteContract;
