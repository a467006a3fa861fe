import type { AppEvent, EventOf, StoredType, TransientType } from "../../contract/events/events.ts";
import type { Access, Agent, AgentStatus } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentReport, AgentResult } from "../../domain/agents/result.ts";
import type { RunnerId, Usage } from "../../domain/agents/runner.ts";
import type { Group } from "../../domain/groups/group.ts";
import type { RunnerProblem } from "../../domain/health/runner-problem.ts";
import type { AgentId, GroupId, TaskId } from "../../domain/ids.ts";
import type { Notification } from "../../domain/notifications/notification.ts";
import type { AlertChanges, AlertQueries } from "./alert-store.ts";
import type { DeadJobName, Jobs } from "./jobs.ts";
import type { ScheduleChanges, ScheduleQueries } from "./schedule-store.ts";
import type { ServerMessages } from "./server-messages.ts";
import type { SlackChanges, SlackQueries } from "./slack-store.ts";
import type { TaskChanges, TaskQueries } from "./task-store.ts";
import type { TemplateChanges, TemplateQueries } from "./template-store.ts";
import type { WorkspaceChanges, WorkspaceQueries } from "./workspace-store.ts";

/**
 * `id` is the number of a stored event; null: the event is not stored. `isOwn`: a transaction of this
 * process emitted it, not one of another server.
 */
export type EventListener = (event: AppEvent, id: number | null, isOwn: boolean) => void;

/** A stored event as it is read back; an earlier version may have written fewer fields. */
export type RecordedEvent = {
  readonly seq: number;
  readonly type: string;
  readonly groupId: GroupId | null;
  readonly agentId: AgentId | null;
  readonly taskId?: TaskId;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
};

/** An agent with what lists show of its progress. */
export type AgentView = Pick<
  AgentProgress,
  | "toolCallCount"
  | "lastMessage"
  | "promptSentAt"
  | "openTools"
  | "lastTool"
  | "usage"
  | "reportedModel"
  | "costUsd"
> & { readonly agent: Agent };

export type AgentQuery = {
  readonly groupId?: string;
  /** Only agents of these groups; an empty list finds nothing. Not together with `groupId`. */
  readonly groupIds?: readonly GroupId[];
  readonly statuses?: readonly AgentStatus[];
  readonly limit: number;
  /** From the previous page; opaque. An invalid cursor is refused with INVALID_CURSOR. */
  readonly cursor?: string;
};

/** Every agent of one group, also those that have left the view. */
export type GroupAgentsQuery = Pick<AgentQuery, "limit" | "cursor"> & { readonly groupId: string };

export type AgentPage = {
  readonly agents: readonly AgentView[];
  /** The number of all matches, not only of this page. */
  readonly total: number;
  readonly nextCursor: string | null;
};

export type GroupQuery = {
  /** Includes deleted groups that still have an agent in view. */
  readonly view: "active" | "all-in-view";
  readonly limit: number;
  readonly cursor?: string;
};

export type GroupPage = { readonly groups: readonly Group[]; readonly nextCursor: string | null };

export type HistoryQuery = {
  readonly groupId?: string;
  readonly role?: string;
  readonly runner?: string;
  readonly status?: AgentStatus;
  /** Ended at or after / before. */
  readonly from?: number;
  readonly until?: number;
  /** The order by end time; default `desc`. A cursor must be used with the order it came from. */
  readonly order?: "asc" | "desc";
  readonly limit: number;
  readonly cursor?: string;
};

/** One settled agent with its result. */
export type HistoryEntry = { readonly agent: Agent; readonly result: AgentResult };

export type HistoryPage = {
  readonly entries: readonly HistoryEntry[];
  readonly nextCursor: string | null;
};

/** Tokens of settled agents; a day is a UTC date, `2026-11-15`. */
export type UsageRow = Usage & {
  readonly day: string;
  readonly runner: string;
  readonly model: string;
  readonly role: string;
  /** As the CLI names the model; null: it does not. */
  readonly reportedModel: string | null;
  /** Agents whose CLI reported a cost are in rows of their own. */
  readonly costUsd: number | null;
  readonly agents: number;
};

/** The stored result of a health check, one per runner, model and access mode. */
export type HealthRecord = {
  readonly runner: RunnerId;
  readonly model: string;
  readonly access: Access;
  readonly status: "passed" | "failed";
  readonly reason: string | null;
  readonly responseMs: number | null;
  readonly checkedAt: number;
};

export type ModelsRecord = {
  readonly runner: RunnerId;
  readonly models: readonly string[];
  readonly checkedAt: number;
};

/** `live` are workers. Agents that a server has taken from the queue count as live. */
export type LiveCounts = {
  readonly live: number;
  readonly liveOrchestrators: number;
  readonly liveReserved: number;
};

/** How many agents that have not ended are in one state with one runner. */
export type UnsettledCount = Pick<Agent, "process" | "runner" | "held"> & {
  readonly agents: number;
  readonly oldestCreatedAt: number;
};

/** The connections of this process to the database; `waiting` are queries without one. */
export type ConnectionCounts = {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
};

/** Queries. The cost of each does not depend on the length of the history. */
export type Queries = TaskQueries &
  SlackQueries &
  ScheduleQueries &
  TemplateQueries &
  WorkspaceQueries &
  AlertQueries & {
    getGroup(id: string): Promise<Group | undefined>;
    getAgent(id: string): Promise<Agent | undefined>;
    getAgents(ids: readonly string[]): Promise<readonly Agent[]>;
    getProgress(id: AgentId): Promise<AgentProgress>;
    getPrompt(id: AgentId): Promise<string>;
    getReport(id: AgentId): Promise<AgentReport | undefined>;
    getResult(id: AgentId): Promise<AgentResult | undefined>;
    /** Agents in view: those of active groups, and the newest of deleted ones. Newest first. */
    listAgents(query: AgentQuery): Promise<AgentPage>;
    /** Newest first. */
    listGroupAgents(query: GroupAgentsQuery): Promise<AgentPage>;
    /**
     * Agents that are `waiting`, not held, not taken and not in `except`; highest priority first, then oldest.
     * All of them if the limit is null. Without agents of the paused runners, except those that use a
     * key of their client: its account has limits of its own.
     */
    listWaitingAgents(
      slot: Agent["slot"],
      limit: number | null,
      except: readonly AgentId[],
      paused?: readonly RunnerId[],
    ): Promise<readonly Agent[]>;
    /** `waiting` agents of these runners, also held ones, without those that use a client's key. */
    listWaitingOfRunners(runners: readonly RunnerId[]): Promise<readonly Agent[]>;
    /**
     * Agents whose process is `starting` or `alive`: a restarted daemon must supervise them. With
     * `workerId` only those of that server; null: of every server.
     */
    listLiveAgents(workerId?: string | null): Promise<readonly Agent[]>;
    /** `waiting` agents that a server has taken and not launched yet. */
    listTakenAgents(workerId: string): Promise<readonly Agent[]>;
    /** Agents that continue, or continued, this conversation of a CLI; oldest first. */
    listAgentsResuming(runner: RunnerId, sessionId: string): Promise<readonly Agent[]>;
    /** How many agents of a group are not settled yet. */
    countUnsettled(groupId: GroupId): Promise<number>;
    /** Must be fast even with many waiting agents: the dispatcher calls it for each free slot. */
    countLive(): Promise<LiveCounts>;
    /** The labels of each agent that is alive or taken and has some. */
    listLabelsInUse(): Promise<readonly (readonly string[])[]>;
    /** `waiting` includes held ones. */
    countByProcess(): Promise<LiveCounts & { readonly waiting: number }>;
    /** All agents that have not ended, counted by state, runner and whether they are held. */
    countUnsettledByRunner(): Promise<readonly UnsettledCount[]>;
    /** Agents of one stage, in the order of the request. */
    listStageAgents(groupId: GroupId, stageIndex: number): Promise<readonly Agent[]>;
    listUnsettledAgents(groupId: GroupId): Promise<readonly Agent[]>;
    listChildGroups(parentGroupId: GroupId): Promise<readonly Group[]>;
    /** Active groups whose last stage is not over: a restarted daemon may have to open the next. */
    listUnfinishedPlans(): Promise<readonly Group[]>;
    /** Newest first. */
    listGroups(query: GroupQuery): Promise<GroupPage>;
    /** Agents of active groups, and the newest of deleted ones, for the dashboard. Newest first. */
    listAgentsInView(limit: number): Promise<readonly AgentView[]>;
    /** Settled agents; by default the last ended first. */
    listHistory(query: HistoryQuery): Promise<HistoryPage>;
    /** By day, runner, model, role, reported model, and whether the CLI reported a cost. */
    listUsage(fromDay: string, untilDay: string): Promise<readonly UsageRow[]>;
    /** Tokens of one group's settled agents, per model. */
    listGroupUsage(groupId: GroupId): Promise<readonly Omit<UsageRow, "day">[]>;
    getNotification(id: string): Promise<Notification | undefined>;
    /** `pending` or `announced`, oldest first. */
    listOpenNotifications(agentId: AgentId): Promise<readonly Notification[]>;
    /** Newest first. */
    listNotifications(agentId: string | undefined, limit: number): Promise<readonly Notification[]>;
    listHealth(): Promise<readonly HealthRecord[]>;
    getModels(runner: RunnerId): Promise<ModelsRecord | undefined>;
    /** At most one per runner. */
    listRunnerProblems(): Promise<readonly RunnerProblem[]>;
    getRunnerProblem(runner: RunnerId): Promise<RunnerProblem | undefined>;
    /** The agent with this token, while its process may live: not after its end, nor `capturing`. */
    findAgentByTokenHash(tokenHash: string): Promise<Agent | undefined>;
    listEvents(afterSeq: number, limit: number): Promise<readonly RecordedEvent[]>;
    lastEventSeq(): Promise<number>;
  };

/** Agents that left the view, and groups that have no agent in view any more. */
export type LeftView = {
  readonly agents: readonly AgentId[];
  readonly groups: readonly GroupId[];
};

/** The reads and writes of one transaction. All of its writes commit together or not at all. */
export type UnitOfWork = Queries &
  TaskChanges &
  SlackChanges &
  ScheduleChanges &
  TemplateChanges &
  WorkspaceChanges &
  AlertChanges & {
    /** False when the id is taken: draw another. */
    insertGroup(group: Group): Promise<boolean>;
    insertAgent(agent: Agent, prompt: string): Promise<boolean>;
    /**
     * Writes `next` (with version + 1) only if the stored row still has `expected.version`;
     * otherwise refuses with VERSION_CONFLICT. Returns the stored row. `expected` is the row as it
     * was read: only columns that differ from it are written.
     */
    updateGroup(next: Group, expected: Group): Promise<Group>;
    updateAgent(next: Agent, expected: Agent): Promise<Agent>;
    /**
     * Needs no version: the supervisor's observations write it, and before an attempt is launched
     * the transaction that queues the agent.
     */
    putProgress(id: AgentId, progress: AgentProgress): Promise<void>;
    putReport(id: AgentId, report: AgentReport): Promise<void>;
    putResult(id: AgentId, result: AgentResult): Promise<void>;
    insertNotification(notification: Notification): Promise<void>;
    updateNotification(next: Notification, expected: Notification): Promise<Notification>;
    putHealth(record: HealthRecord): Promise<void>;
    putModels(record: ModelsRecord): Promise<void>;
    putRunnerProblem(problem: RunnerProblem): Promise<void>;
    deleteRunnerProblem(runner: RunnerId): Promise<void>;
    /** Adds the tokens of one settled agent to its day. Call once per agent. */
    addUsage(row: UsageRow): Promise<void>;
    /**
     * Call after the deletion of a group: only the newest `keep` agents of all deleted groups stay
     * in view. Returns the agents that left the view, and the groups that now have none in it.
     */
    shrinkView(keep: number): Promise<LeftView>;
    /**
     * Deletes settled agents that ended before the given time and are not in view (with prompt,
     * progress, result and notifications), empty deleted groups, alerts that are not pending, and older events. Agents of a task
     * stay until the task ended before that time; then all its rows except the audit are deleted.
     * Agents of a workspace stay until `deleteWorkspace` has deleted its row.
     * Returns the deleted agents, whose spool files the caller must delete.
     */
    purgeHistory(endedBefore: number, limit: number): Promise<readonly AgentId[]>;
    /**
     * Until the commit, no other server takes agents from the queue: what is counted after it stays
     * true.
     */
    lockQueue(): Promise<void>;
    /**
     * Keeps the lease of a worker from ending until the commit. False: it has ended, or another
     * connection of the worker has it.
     */
    holdLease(workerId: string, epoch: number): Promise<boolean>;
    /**
     * Keeps a server or worker whose lease has ended from coming back until the commit. False: it is
     * back.
     */
    holdEnd(host: "servers" | "workers", id: string): Promise<boolean>;
    /**
     * Puts jobs that were given up back into the queue: that one, or all of them. Returns those that
     * this unit has put back; another one that wants the same at once gets none.
     */
    retryDeadJobs(id?: string): Promise<readonly DeadJobName[]>;
    /** Stores the event with the changes it is about; subscribers get it after the commit. */
    emit(event: EventOf<StoredType>): Promise<void>;
    /** Not stored. Subscribers get it after the commit, in order with the stored events. */
    emitTransient(event: EventOf<TransientType>): void;
    /**
     * Starts `act` after the commit and before the events are published: what it puts into memory
     * is there when a subscriber reacts. `transaction` resolves once `act` is done. Its error is
     * logged; the transaction stays committed.
     */
    afterCommit(act: () => void | Promise<void>): void;
  };

export type Store = Queries & {
  /**
   * Inside, await nothing but the unit; using the store itself throws. Have no other side effects: a
   * transaction whose work succeeded may still be rolled back with its group commit.
   */
  transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /** Resolves once the continuations of all committed transactions have run. */
  afterCommitted(): Promise<void>;
  /** Commits a change without effect; rejects like a transaction if the database cannot be written. */
  checkWritable(): Promise<void>;
  /**
   * The number of an event below which none is missing: transactions that took a lower number have
   * ended. Resolves when that is known.
   */
  settledEventSeq(): Promise<number>;
  /** Delivers the events of committed transactions, in the order of the commits. */
  subscribe(listener: EventListener): () => void;
  /** Passes an event that is not stored to the other servers on this database. It may get lost. */
  share(event: EventOf<TransientType>): void;
  /** Messages to the other servers on this database; absent: there can be none. */
  readonly serverMessages?: ServerMessages;
  /** Jobs that the transactions of this store store; absent: it has none, one daemon needs none. */
  readonly jobs?: Jobs;
  /** Absent: the store has no pool of connections. */
  readonly connections?: () => ConnectionCounts;
  close(): Promise<void>;
};
