import type { Agent, AgentStatus } from "../../domain/agent.ts";
import type { Group } from "../../domain/group.ts";
import type { AgentId, GroupId } from "../../domain/ids.ts";
import type { AgentProgress } from "../../domain/progress.ts";
import type { AgentReport, AgentResult } from "../../domain/result.ts";

/** Something that happened, kept for ever and told to whoever watches. */
export type DomainEvent = {
  readonly type: string;
  readonly groupId: GroupId | null;
  readonly agentId: AgentId | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
};
export type StoredEvent = DomainEvent & { readonly seq: number };

export type AgentView = {
  readonly agent: Agent;
  readonly toolCallCount: number;
  readonly lastMessage: string;
};

export type AgentQuery = {
  readonly groupId?: string;
  readonly statuses?: readonly AgentStatus[];
  readonly limit: number;
  /** From the page before; opaque. A cursor that is not ours refuses with INVALID_CURSOR. */
  readonly cursor?: string;
};

export type AgentPage = {
  readonly agents: readonly AgentView[];
  /** All that match, not only this page. */
  readonly total: number;
  readonly nextCursor: string | null;
};

/** Questions. Each costs the same however much history there is. */
export type Queries = {
  getGroup(id: string): Promise<Group | undefined>;
  getAgent(id: string): Promise<Agent | undefined>;
  getAgents(ids: readonly string[]): Promise<readonly Agent[]>;
  getProgress(id: AgentId): Promise<AgentProgress>;
  getPrompt(id: AgentId): Promise<string>;
  getReport(id: AgentId): Promise<AgentReport | undefined>;
  getResult(id: AgentId): Promise<AgentResult | undefined>;
  /** Newest first. */
  listAgents(query: AgentQuery): Promise<AgentPage>;
  /** `waiting`, highest priority first, then oldest; agents with an id in `except` left out. */
  listWaitingAgents(limit: number, except: readonly AgentId[]): Promise<readonly Agent[]>;
  /** Those whose process is `starting` or `alive`: what a restarted daemon must look after. */
  listLiveAgents(): Promise<readonly Agent[]>;
  /** How many agents of a group are not settled yet. */
  countUnsettled(groupId: GroupId): Promise<number>;
  countByProcess(): Promise<{ readonly waiting: number; readonly live: number }>;
  /** Whose token this is, while its process is not ended. */
  findAgentByTokenHash(tokenHash: string): Promise<Agent | undefined>;
  listEvents(afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  lastEventSeq(): Promise<number>;
};

/** What one unit of work can see and do. Everything inside commits together or not at all. */
export type UnitOfWork = Queries & {
  /** False when the id is taken: draw another. */
  insertGroup(group: Group): Promise<boolean>;
  insertAgent(agent: Agent, prompt: string): Promise<boolean>;
  /**
   * Writes `next` (with version + 1) only if the stored row still has `expected.version`;
   * else refuses with VERSION_CONFLICT. Answers the row as it now stands.
   */
  updateGroup(next: Group, expected: Group): Promise<Group>;
  updateAgent(next: Agent, expected: Agent): Promise<Agent>;
  /** Only the supervisor's observations write progress, so it needs no version. */
  putProgress(id: AgentId, progress: AgentProgress): Promise<void>;
  putReport(id: AgentId, report: AgentReport): Promise<void>;
  putResult(id: AgentId, result: AgentResult): Promise<void>;
  appendEvent(event: DomainEvent): Promise<StoredEvent>;
};

export type Store = Queries & {
  /** Await nothing but the unit inside; using the store itself inside throws at once. */
  transaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};
