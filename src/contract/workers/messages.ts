import { z } from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { MAX_CHUNK_BYTES } from "../../domain/agents/transcript.ts";
import { LABEL, MAX_LABELS } from "../../domain/workers/labels.ts";

/**
 * What workers and servers say to each other, over one WebSocket per worker. Servers check what comes
 * from a worker: agents of the same user could have stolen its token.
 */
export const WORKER_PATH = "/api/worker";

/**
 * Counts the versions of Kuromajutsu that change these messages. Versions next to each other must
 * understand each other; a server refuses a worker that is further apart.
 */
export const WORKER_PROTOCOL = 1;

/** The limit of one message. A prompt has up to 8 million characters. */
export const MAX_WORKER_MESSAGE_BYTES = 48 * 1_024 ** 2;

export const labelsShape = z.array(z.string().regex(LABEL)).max(MAX_LABELS);

export const MAX_SLOTS = 10_000;

const MAX_NAME_CHARS = 255;
const MAX_PATH_CHARS = 4_096;
/** They are in the row of the worker, which servers read often. */
export const MAX_MODELS = 1_000;
export const MAX_MODEL_CHARS = 100;

const runnersShape = z
  .array(
    z.object({
      id: z.enum(RUNNER_IDS),
      version: z.string().max(MAX_NAME_CHARS).nullable(),
      /** Absent: not known yet, the CLI does not list them, or an older worker. */
      models: z.array(z.string().max(MAX_MODEL_CHARS)).max(MAX_MODELS).exactOptional(),
    }),
  )
  .max(RUNNER_IDS.length);

/** What a worker learns about itself after its hello. */
export const workerDescriptionShape = z.object({ runners: runnersShape });

export const workerHelloShape = z.object({
  protocol: z.number(),
  /** The data directory of the worker; another process of the same one goes on with its agents. */
  instance: z.string().min(8).max(MAX_NAME_CHARS),
  host: z.string().max(MAX_NAME_CHARS),
  pid: z.int().positive(),
  version: z.string().max(MAX_NAME_CHARS),
  slots: z.int().min(0).max(MAX_SLOTS),
  labels: labelsShape,
  runners: runnersShape,
  isDraining: z.boolean(),
  /** Where it makes worktrees; absent: an older worker, which makes none. */
  worktreeRoot: z.string().startsWith("/").max(MAX_PATH_CHARS).exactOptional(),
  /** The time on the worker's clock; absent: an older worker. */
  now: z.number().exactOptional(),
  /** Its agents go on: as far as it knows, no server can have ended its lease. Absent: no. */
  hasLease: z.boolean().exactOptional(),
});
export type WorkerHello = z.infer<typeof workerHelloShape>;

/** The server's answer to a hello. */
export type WorkerWelcome = {
  readonly name: string;
  readonly version: string;
  readonly leaseMs: number;
  /** Settings of the installation that hold on every host. */
  readonly agents: {
    readonly hardKillAfterMs: number;
    readonly maxOutputBytes: number;
    /** Names of further variables that agents inherit. */
    readonly variables: readonly string[];
    readonly acpCommand: readonly string[];
  };
};

/** `unknown`: the database does not answer this server. Others may have one. */
export const leaseStates = ["held", "ended", "unknown"] as const;
export type LeaseState = (typeof leaseStates)[number];

export const agentIdShape = z.templateLiteral([z.string(), "-", z.string(), "-", z.string()]);
const agentId = agentIdShape;
const attempt = z.int().positive();
const MAX_TAIL_CHARS = 100_000;

/** Only the outer shape: `checkProgress` makes the rest fit for the store. */
const progress = z.record(z.string(), z.unknown());

export const observationShape = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("started"),
    agentId,
    attempt,
    pid: z.int(),
    pidStart: z.string().max(MAX_NAME_CHARS),
    bootId: z.string().max(MAX_NAME_CHARS),
    at: z.number(),
  }),
  z.object({ type: z.literal("progress"), agentId, attempt, progress }),
  z.object({
    type: z.literal("ended"),
    agentId,
    attempt,
    progress,
    exitCode: z.int().nullable(),
    stderrTail: z.string().max(MAX_TAIL_CHARS),
    filesLost: z.boolean().exactOptional(),
    unreadable: z.string().max(MAX_TAIL_CHARS).exactOptional(),
    survivors: z.array(z.string().max(MAX_TAIL_CHARS)).max(1_000),
  }),
  z.object({
    type: z.literal("start_failed"),
    agentId,
    attempt,
    error: z.string().max(MAX_TAIL_CHARS),
    isMissing: z.boolean().exactOptional(),
  }),
  z.object({ type: z.literal("not_launched"), agentId, attempt }),
  z.object({ type: z.literal("spool_limit_reached"), agentId, attempt }),
]);

export const observationsShape = z.array(observationShape).max(100_000);

const MAX_CHUNKS = 1_000;

const attemptKey = z.object({ agentId, attempt });

export const attemptsShape = z.array(attemptKey).max(100_000);

/** Compressed output of agents, in base64. */
export const chunksShape = z
  .array(
    attemptKey.extend({
      startDay: z.iso.date(),
      offset: z.int().min(0),
      length: z.int().min(0).max(MAX_CHUNK_BYTES),
      data: z.base64(),
    }),
  )
  .max(MAX_CHUNKS);

export const storedEndsShape = z.array(
  attemptKey.extend({ offset: z.number(), isComplete: z.boolean() }),
);

/** Bytes of a program on the worker that speaks to our MCP server. */
export const relayShape = z.object({
  stream: z.int().positive(),
  /** base64; absent: the stream ends. */
  data: z.string().optional(),
});
