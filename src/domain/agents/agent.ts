import type { AgentId, ExecutionId, GroupId, TaskId, WorkspaceId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";
import type { DegradedReason } from "./degraded.ts";
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
  "session_lost",
  "postponed",
  "host_lost",
  "exited",
] as const;
export type AgentEvent = (typeof AGENT_EVENTS)[number];

/**
 * The agent lifecycle of docs/spec.md. A report may come before the process ends; `resultReported`
 * then stays, however the process ends.
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
    // It could not continue its conversation: it is started once more, with a new one.
    session_lost: "queued",
    // A limit of its runner ended it before it did anything: it is started again later.
    postponed: "queued",
    // Its host is gone, and its role says that it is started again on another one.
    host_lost: "queued",
    // Its process is gone, and its change is not captured yet.
    exited: "running",
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
    exited: "resultReported",
  },
};

export const PROCESS_STATES = ["waiting", "starting", "alive", "capturing", "ended"] as const;
export type ProcessState = (typeof PROCESS_STATES)[number];

/**
 * The process of an agent. `starting` is the committed intent: the launcher may or may not have
 * started the process. `capturing`: the process of an isolated agent is gone, and its change is being
 * committed on its branch.
 */
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
    session_lost: "waiting",
    postponed: "waiting",
    host_lost: "waiting",
    exited: "capturing",
  },
  capturing: {
    reported: "capturing",
    succeeded: "ended",
    failed: "ended",
    timed_out: "ended",
    cancelled: "ended",
    lost: "ended",
    session_lost: "waiting",
    postponed: "waiting",
  },
  ended: { reported: "ended" },
};

/** Why a running agent is being stopped. Stored, so that a restarted daemon continues the stop. */
export const STOP_REASONS = [
  "timeout",
  "cancelled",
  "lingered",
  "spool_limit",
  "interrupted",
  "retry_limit",
  "retry_time",
  "event_limit",
  "tool_call_limit",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export type Access = "read-only" | "read-write";

export type Agent = {
  readonly id: AgentId;
  readonly groupId: GroupId;
  /**
   * The task this agent works for, as a drafter, an executor or an agent that an executor started.
   */
  readonly taskId: TaskId | null;
  /** The execution this agent works for; its calls of upstream tools belong to that execution. */
  readonly executionId: ExecutionId | null;
  /** The person the agent was started for; null in rows of versions that did not store it. */
  readonly requester: string | null;
  readonly role: string;
  readonly runner: RunnerId;
  readonly model: string;
  readonly status: AgentStatus;
  readonly process: ProcessState;
  readonly stopReason: StopReason | null;
  readonly workingDirectory: string;
  /** The top of the working tree that it may write to; null: it writes nothing or is in no repository. */
  readonly tree: string | null;
  /** Its own worktree; null: it works where its caller is. */
  readonly workspaceId: WorkspaceId | null;
  readonly access: Access;
  readonly timeoutMs: number | null;
  readonly priority: number;
  /**
   * Orchestrators and executors wait for other agents, so they have slots of their own: otherwise
   * they could take every slot and deadlock. `reserved`: short runs that a person waits for
   * (drafts).
   */
  readonly slot: "worker" | "orchestrator" | "reserved";
  readonly stageIndex: number | null;
  /** The agent belongs to a later stage: it is queued but must not start yet. */
  readonly held: boolean;
  /** Names of vendor variables (CURSOR_API_KEY, …) whose values only the requesting client has. */
  readonly clientKeys: readonly string[];
  /** Why it does not run with the first runner of its role; null: it does. */
  readonly runnerNote: string | null;
  /** The conversation of the CLI to continue; null after it turned out to be lost. */
  readonly resumeSession: string | null;
  /** The agent whose conversation this agent was asked to continue. */
  readonly resumedAgentId: AgentId | null;
  /** It runs only on hosts that have all of these labels. */
  readonly labels: readonly string[];
  /**
   * The server or worker that runs it, from the moment it takes the agent from the queue; null: not
   * taken yet, or there is only one server.
   */
  readonly workerId: string | null;
  /** Number of launches; each has its own spool files and its own claim. */
  readonly attempt: number;
  /** sha256 of the token of the current attempt; the token itself is never stored. */
  readonly tokenHash: string | null;
  readonly pid: number | null;
  readonly pidStart: string | null;
  readonly bootId: string | null;
  /** null after the end: unknown. */
  readonly exitCode: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly reportedAt: number | null;
  /** When it first connected to our MCP server; not recorded for a rehearsal. */
  readonly helloAt: number | null;
  /** Why it is shown as degraded: it runs, but without our MCP server. null: it is not. */
  readonly degraded: DegradedReason | null;
  /** Incremented by every write; a write names the version it is based on. */
  readonly version: number;
};

export function applyToAgent(agent: Agent, event: AgentEvent, changes: Partial<Agent> = {}): Agent {
  return {
    ...agent,
    ...changes,
    status: nextState(
      AGENT_TRANSITIONS,
      { en: `Agent ${agent.id}`, ja: `エージェント ${agent.id} ` },
      agent.status,
      event,
    ),
    process: nextState(
      PROCESS_TRANSITIONS,
      { en: `The process of ${agent.id}`, ja: `${agent.id} のプロセス` },
      agent.process,
      event,
    ),
  };
}

/**
 * The process has ended or will never start, so the agent changes no more files. Stages, steps and
 * slots depend on this.
 */
export function isSettled(agent: Pick<Agent, "process">): boolean {
  return agent.process === "ended";
}

/**
 * There is a result, so callers need not wait any longer. An agent that has reported may not be
 * settled yet: some CLIs exit late, or never by themselves. The result of an isolated agent names its
 * change, which is captured after the end of its process.
 */
export function hasResult(agent: Pick<Agent, "process" | "reportedAt" | "workspaceId">): boolean {
  return isSettled(agent) || (agent.reportedAt !== null && agent.workspaceId === null);
}

/** The filters `running`, `completed` and `failed` of `list_agents`. */
export const STATUS_FILTERS = {
  queued: ["queued"],
  running: ["running"],
  completed: ["completed", "resultReported"],
  failed: ["failed", "timedOut", "lost"],
} as const satisfies Record<string, readonly AgentStatus[]>;
