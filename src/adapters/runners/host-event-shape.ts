import * as z from "zod";
import { FAILURE_KINDS } from "../../domain/agents/runner.ts";

const failure = z.object({ kind: z.enum(FAILURE_KINDS), resetsAt: z.number().nullable() });
const count = z.number().nonnegative();

/** The lines that our host programs write: the events of a runner as they are. */
export const eventShape = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    sessionId: z.string(),
    model: z.string().nullable(),
  }),
  z.object({ type: z.literal("delta"), text: z.string() }),
  z.object({ type: z.literal("message"), text: z.string() }),
  z.object({ type: z.literal("user"), at: z.number().exactOptional() }),
  z.object({
    type: z.literal("tool_started"),
    callId: z.string(),
    tool: z.string(),
    files: z.array(z.string()).exactOptional(),
    at: z.number().exactOptional(),
  }),
  z.object({
    type: z.literal("tool_finished"),
    callId: z.string(),
    tool: z.string(),
    ok: z.boolean(),
    files: z.array(
      z.object({
        path: z.string(),
        change: z.enum(["created", "edited", "deleted", "unknown"]),
      }),
    ),
    output: z.string().exactOptional(),
    at: z.number().exactOptional(),
  }),
  z.object({
    type: z.literal("usage"),
    scope: z.enum(["run", "step", "session"]),
    usage: z.object({
      inputTokens: count,
      outputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
    }),
  }),
  z.object({ type: z.literal("cost"), costUsd: count }),
  z.object({ type: z.literal("mcp"), server: z.string(), connected: z.boolean() }),
  z.object({ type: z.literal("steered"), id: z.string() }),
  z.object({ type: z.literal("warning"), text: z.string() }),
  z.object({ type: z.literal("retry"), reason: z.string(), failure: failure.exactOptional() }),
  z.object({
    type: z.literal("end"),
    ok: z.boolean(),
    text: z.string(),
    durationMs: z.number().nullable(),
    error: z.string().nullable(),
    failure: failure.exactOptional(),
  }),
]);
