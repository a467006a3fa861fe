import type { AgentId, ExecutionId, GroupId, TaskId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";
import type { RunnerId } from "./runner.ts";

export const AGENT_STATUSES = [
  "queued",
  "running",
  "completed",
  "failed",
  "timedOut",
  "cancelled",
  "lost",
  "resultReported",
] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** What happens to an agent, in the past tense. */
export const AGENT_EVENTS = [
  "launched",
  "relaunched",
  "requeued",
  "started",
  "start_failed",
  "reported",
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "lost",
] as const;
export type AgentEvent = (typeof AGENT_EVENTS)[number];

/**
 * Seed 5.1. A report may come before the process ends, so `resultReported` takes the end of the
 * process without changing its mind: the agent's own word stays.
 */
export const AGENT_TRANSITIONS: Transitions<AgentStatus, AgentEvent> = {
  queued: {
    launched: "queued",
    relaunched: "queued",
    requeued: "queued",
    started: "running",
    start_failed: "failed",
    cancelled: "cancelled",
  },
  running: {
    reported: "resultReported",
    succeeded: "completed",
    failed: "failed",
    timed_out: "timedOut",
    cancelled: "cancelled",
    lost: "lost",
  },
  completed: { reported: "resultReported" },
  failed: { reported: "resultReported" },
  timedOut: { reported: "resultReported" },
  cancelled: { reported: "resultReported" },
  lost: { reported: "resultReported" },
  resultReported: {
    reported: "resultReported",
    succeeded: "resultReported",
    failed: "resultReported",
    timed_out: "resultReported",
    cancelled: "resultReported",
    lost: "resultReported",
  },
};

export const PROCESS_STATES = ["waiting", "starting", "alive", "ended"] as const;
export type ProcessState = (typeof PROCESS_STATES)[number];

/** The process behind an agent. `starting` is the committed intent: the launcher may or may not have acted. */
export const PROCESS_TRANSITIONS: Transitions<ProcessState, AgentEvent> = {
  waiting: { launched: "starting", start_failed: "ended", cancelled: "ended" },
  starting: {
    relaunched: "starting",
    requeued: "waiting",
    started: "alive",
    start_failed: "ended",
    cancelled: "ended",
  },
  alive: {
    reported: "alive",
    succeeded: "ended",
    failed: "ended",
    timed_out: "ended",
    cancelled: "ended",
    lost: "ended",
  },
  ended: { reported: "ended" },
};

/** Why a live agent is being ended. Stored, so that a restarted daemon goes on with the stop. */
export const STOP_REASONS = [
  "timeout",
  "cancelled",
  "lingered",
  "spool_limit",
  "interrupted",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export type Access = "read-only" | "read-write";

export type Agent = {
  readonly id: AgentId;
  readonly groupId: GroupId;
  /** The task it works for, as a drafter, an executor or one of an executor's agents. */
  readonly taskId: TaskId | null;
  /** The execution it works for; its calls of upstream tools belong to it. */
  readonly executionId: ExecutionId | null;
  /** The person it was started for; null: started by a version that did not note it. */
  readonly requester: string | null;
  readonly role: string;
  readonly runner: RunnerId;
  readonly model: string;
  readonly status: AgentStatus;
  readonly process: ProcessState;
  readonly stopReason: StopReason | null;
  readonly workingDirectory: string;
  readonly access: Access;
  readonly timeoutMs: number | null;
  readonly priority: number;
  /**
   * Orchestrators and executors wait for others: they have slots of their own, or nobody could
   * run. `reserved`: short runs that a person waits for (drafts).
   */
  readonly slot: "worker" | "orchestrator" | "reserved";
  readonly stageIndex: number | null;
  /** Of a later stage: queued, but not to be started yet. */
  readonly held: boolean;
  /** Names of vendor variables (CURSOR_API_KEY, …) that only the client which asked has. */
  readonly clientKeys: readonly string[];
  /** The CLI's own conversation to go on with, where the runner can. */
  readonly resumeSession: string | null;
  /** Counts launches; each has its own spool files and its own claim. */
  readonly attempt: number;
  /** sha256 of the token of the current attempt; the token itself is never stored. */
  readonly tokenHash: string | null;
  readonly pid: number | null;
  readonly pidStart: string | null;
  readonly bootId: string | null;
  /** null after the end means unknown. */
  readonly exitCode: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly reportedAt: number | null;
  /** Grows by one with every write; a write names the version it was computed from. */
  readonly version: number;
};

export function applyToAgent(agent: Agent, event: AgentEvent, changes: Partial<Agent> = {}): Agent {
  return {
    ...agent,
    ...changes,
    status: nextState(AGENT_TRANSITIONS, `Agent ${agent.id}`, agent.status, event),
    process: nextState(PROCESS_TRANSITIONS, `The process of ${agent.id}`, agent.process, event),
  };
}

/**
 * The process has ended or will never start: nothing of the agent changes files any more. Stages,
 * steps and slots go by this.
 */
export function isSettled(agent: Pick<Agent, "process">): boolean {
  return agent.process === "ended";
}

/**
 * There is a result, so a caller need not wait any longer. An agent that has reported may not be
 * settled yet: some CLIs exit late, or never by themselves.
 */
export function hasResult(agent: Pick<Agent, "process" | "reportedAt">): boolean {
  return isSettled(agent) || agent.reportedAt !== null;
}

/** What `list_agents` calls `running`, `completed`, `failed`. */
export const STATUS_FILTERS = {
  queued: ["queued"],
  running: ["running"],
  completed: ["completed", "resultReported"],
  failed: ["failed", "timedOut", "lost"],
} as const satisfies Record<string, readonly AgentStatus[]>;
