import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { notificationShape } from "../shapes/notifications.ts";
import { idText, limit, NO_INPUT } from "./inputs.ts";

export const listNotifications = {
  ...NO_INPUT,
  method: "get",
  path: "/api/notifications",
  summary: "Notifications for agents and whether they were delivered, newest first.",
  query: z.strictObject({ agentId: idText.optional(), limit: limit(500, 100) }),
  answer: z.object({ notifications: z.array(notificationShape) }),
} as const satisfies RouteContract;
