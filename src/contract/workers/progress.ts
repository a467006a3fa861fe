import { z } from "zod";
import { truncate, truncateStart } from "../../base/truncate.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import { FAILURE_KINDS } from "../../domain/agents/runner.ts";

/*
 * The progress of an agent as a worker sends it. A batch that is refused is sent again and again, with
 * the observations of every other agent of the worker, so only what cannot be understood is refused.
 * A number or a text that merely is too large becomes smaller: its limits may differ between versions,
 * and older workers pass on numbers as the CLI wrote them.
 */

/** Far above the limits of a progress, so that the next version may raise them. */
const MAX_TEXT_CHARS = 100_000;
const MAX_NAME_CHARS = 4_096;
const MAX_FILES = 10_000;
const MAX_ITEMS = 1_000;
/** Even the sum over many agents is a whole number that PostgreSQL and JavaScript can have. */
const MAX_TOKENS = 1e12;
const MAX_COST_USD = 1e9;
/** The end of the year 9999: a later time has no usual text. */
const MAX_TIME = 253_402_300_799_999;

const wholeTo = (max: number) =>
  z.number().transform((value) => Math.min(max, Math.max(0, Math.round(value))));
const count = wholeTo(Number.MAX_SAFE_INTEGER).default(0);
const tokens = wholeTo(MAX_TOKENS).default(0);
const time = wholeTo(MAX_TIME).nullable().default(null);
const cost = z.number().transform((value) => Math.min(MAX_COST_USD, Math.max(0, value)));

const text = z.string().transform((value) => truncate(value, MAX_TEXT_CHARS));
const name = z.string().transform((value) => truncate(value, MAX_NAME_CHARS));
const nameOrNull = name.nullable().default(null);
const textOrNull = text.nullable().default(null);

const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item)
    .transform((items) => items.slice(0, max))
    .default([]);
const files = listOf(name, MAX_FILES);

const usage = z
  .object({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  })
  .nullable()
  .default(null);

const failure = z.object({ kind: z.enum(FAILURE_KINDS), resetsAt: time });

const openTool = z.object({
  callId: name,
  name,
  startedAt: time,
  files: z
    .array(z.object({ path: name, existed: z.boolean() }))
    .transform((items) => items.slice(0, MAX_ITEMS))
    .exactOptional(),
});

const endedTool = z.object({
  name,
  ok: z.boolean(),
  output: text.default(""),
  endedAt: time,
});

const retries = z.object({
  count,
  inARow: count,
  lastReason: textOrNull,
  // A newer worker may know more kinds.
  lastFailure: failure.nullable().default(null).catch(null),
});

const end = z
  .object({
    ok: z.boolean(),
    text: text.default(""),
    durationMs: time,
    error: textOrNull,
    failure: z.unknown().optional(),
  })
  .transform(({ failure: sent, ...rest }) => {
    const known = failure.safeParse(sent);
    return { ...rest, ...(known.success && { failure: known.data }) };
  });

type Members = { readonly [Name in keyof AgentProgress]: z.ZodType<AgentProgress[Name]> };

/**
 * Members that a worker of another version does not know get their first value; members that this
 * version does not know are left out.
 */
export const progressShape = z.object({
  offset: count,
  lines: count,
  skippedLines: count,
  toolCallCount: count,
  pollCount: count,
  lastMessage: z
    .string()
    .transform((value) => truncateStart(value, MAX_TEXT_CHARS))
    .default(""),
  editedFiles: files,
  createdFiles: files,
  deletedFiles: files,
  usage,
  costUsd: cost.nullable().default(null),
  sessionUsage: usage,
  usageBefore: usage,
  sessionId: nameOrNull,
  reportedModel: nameOrNull,
  promptSentAt: time,
  openTools: listOf(openTool, MAX_ITEMS),
  lastTool: endedTool.nullable().default(null),
  mcpConnected: z.boolean().nullable().default(null),
  retries: retries.default({ count: 0, inARow: 0, lastReason: null, lastFailure: null }),
  steered: listOf(name, MAX_ITEMS),
  warnings: listOf(text, MAX_ITEMS),
  requestId: nameOrNull,
  lostSession: nameOrNull,
  triedHosts: listOf(name, MAX_ITEMS),
  end: end.nullable().default(null),
} satisfies Members);
