import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { NO_INPUT, ONLY_ID } from "./inputs.ts";

const workspaceShape = z.object({
  team: z.string().describe("Id of the workspace"),
  enterprise: z.string().nullable().describe("Id of its organization"),
  botUser: z.string(),
  scopes: z.array(z.string()).readonly(),
  installedBy: z.string().describe("Id of the Slack user"),
  installedAt: z.string(),
});

export const listSlackWorkspaces = {
  ...NO_INPUT,
  method: "get",
  path: "/api/slack/workspaces",
  summary: "The Slack workspaces in which the app was installed with a link.",
  answer: z.object({ workspaces: z.array(workspaceShape).readonly() }),
} as const satisfies RouteContract;

export const removeSlackWorkspace = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/slack/workspaces/{id}",
  summary: "Delete the token of a Slack workspace; nothing is posted there any more.",
  answer: z.object({ removed: z.boolean().describe("false: the app was not installed there") }),
} as const satisfies RouteContract;

export const createSlackInstallLink = {
  ...NO_INPUT,
  method: "post",
  path: "/api/slack/install-links",
  summary: "A link with which one person may install the app in one Slack workspace.",
  answer: z.object({ url: z.string(), expiresAt: z.string() }),
} as const satisfies RouteContract;
