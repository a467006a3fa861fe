import { z } from "zod";
import { ALERT_STATUSES } from "../../domain/alerts/alert.ts";
import type { RouteContract } from "../route-contract.ts";
import { alertShape, testedTargetShape } from "../shapes/alerts.ts";
import { limit, NO_INPUT } from "./inputs.ts";

export const listAlerts = {
  ...NO_INPUT,
  method: "get",
  path: "/api/alerts",
  summary: "Alerts for people and whether they were delivered, newest first.",
  query: z
    .strictObject({
      status: z.enum(ALERT_STATUSES).optional(),
      target: z.string().max(200).optional(),
      limit: limit(500, 50),
    })
    .refine(({ status, target }) => status === undefined || target === undefined, {
      error: "either status or target",
    }),
  answer: z.object({ alerts: z.array(alertShape) }),
} as const satisfies RouteContract;

export const testAlerts = {
  ...NO_INPUT,
  method: "post",
  path: "/api/alerts/test",
  summary: "Send a test alert now; the answer says for each target whether it was sent",
  body: z
    .strictObject({
      to: z.string().max(200).optional().describe("A target; left out: every target of the rules"),
    })
    .optional(),
  answer: z.object({ targets: z.array(testedTargetShape) }),
} as const satisfies RouteContract;
