import { z } from "zod";
import { SESSION_HEADER } from "../http-headers.ts";
import type { RouteContract } from "../route-contract.ts";
import { auditShape } from "../shapes/audit.ts";
import { loginShape, meShape } from "../shapes/people.ts";
import { fileTrustShape } from "../shapes/trust.ts";
import { cursor, idText, limit, NO_INPUT } from "./inputs.ts";

export const getMe = {
  ...NO_INPUT,
  method: "get",
  path: "/api/me",
  summary: "The signed-in person and their role.",
  answer: meShape,
} as const satisfies RouteContract;

export const createSlackCode = {
  ...NO_INPUT,
  method: "post",
  path: "/api/people/me/slack-code",
  summary: "A code for one use with which you link your Slack account: `/kuro link CODE` in Slack.",
  answer: z.object({ code: z.string(), expiresAt: z.string() }),
} as const satisfies RouteContract;

export const login = {
  ...NO_INPUT,
  method: "post",
  path: "/api/login",
  summary: `Sign in with a token, for 30 days: sets a cookie, which counts only together with \`sessionKey\` in the header ${SESSION_HEADER}.`,
  body: z.strictObject({ token: z.string().trim().min(1).max(1_000) }),
  answer: loginShape,
} as const satisfies RouteContract;

export const logout = {
  ...NO_INPUT,
  method: "post",
  path: "/api/logout",
  summary: "Sign out: ends the session and clears its cookie.",
  answer: z.object({ signedOut: z.boolean() }),
} as const satisfies RouteContract;

export const listAudit = {
  ...NO_INPUT,
  method: "get",
  path: "/api/audit",
  summary:
    "Who did or tried what, newest first. Every entry contains the hash of the previous one.",
  query: z.strictObject({
    subject: idText.optional().describe("A task, approval, execution, agent or tool"),
    actor: idText.optional(),
    limit: limit(500, 100),
    cursor,
  }),
  answer: z.object({ entries: z.array(auditShape), nextCursor: z.string().nullable() }),
} as const satisfies RouteContract;

export const verifyAudit = {
  ...NO_INPUT,
  method: "get",
  path: "/api/audit/verify",
  summary: "Checks every entry: the chain of hashes, and the sealed head outside the database.",
  answer: z.object({
    ok: z.boolean(),
    entries: z.number(),
    anchoredUntil: z
      .number()
      .exactOptional()
      .describe("The last entry that the sealed head covers"),
    firstBroken: z.object({ seq: z.number(), why: z.string() }).exactOptional(),
  }),
} as const satisfies RouteContract;

export const getTrust = {
  ...NO_INPUT,
  method: "get",
  path: "/api/config/trust",
  summary: "What the configuration file would run and allow, and what of that is trusted.",
  answer: z.object({ trust: fileTrustShape.nullable().describe("null: it needs no trust") }),
} as const satisfies RouteContract;

export const trustConfig = {
  ...NO_INPUT,
  method: "post",
  path: "/api/config/trust",
  summary: "Trust the configuration file as it was shown.",
  body: z.strictObject({
    hash: z.string().max(200).describe("Hash of what you saw; another one answers 409"),
  }),
  answer: z.object({ path: z.string(), hash: z.string().describe("Hash of what is trusted now") }),
} as const satisfies RouteContract;
