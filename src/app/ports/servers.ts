import type { RunnerId } from "../../domain/agents/runner.ts";

/** What people and other servers see of a server. */
export type ServerDetails = {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  /** A hash of the settings that should be equal on all servers. */
  readonly configHash: string;
  /** What it offers to agents (`HostOffer`); absent: an older version, which has no labels. */
  readonly slots?: number | null;
  readonly labels?: readonly string[];
  /**
   * What its CLIs list; null: the CLI lists no models. Without a CLI that is not installed or was not
   * asked. Absent: an older version.
   */
  readonly models?: Readonly<Partial<Record<RunnerId, readonly string[] | null>>>;
  /** How far the clock of its host is ahead of the database; absent: an older version. */
  readonly clockAheadMs?: number;
};

export type ServerRow = ServerDetails & {
  readonly id: string;
  readonly startedAt: number;
  /** How long ago it was seen, by the clock of the database. */
  readonly seenMsAgo: number;
  /** It was stopped on purpose, and the others wait for its next start. */
  readonly hasLeft: boolean;
  readonly isLeader: boolean;
  /** How many agents are alive there. */
  readonly agents: number;
};

/** A lease that was extended. Times are those of the database. */
export type Beat = {
  readonly at: number;
  /** Negative: the clock of the database was set back. */
  readonly sinceLastMs: number;
};

/** The servers that share a database. Times are those of the database: clocks of hosts differ. */
export type Servers = {
  /** Stable over restarts: a restarted server finds its agents again. */
  readonly id: string;
  /**
   * Begins a new epoch: a process that still uses the one before is fenced. False: the lease has
   * ended, and no server has cleaned up yet.
   */
  join(details: ServerDetails): Promise<boolean>;
  /** Replaces what people see of this server. */
  describe(details: ServerDetails): Promise<void>;
  /** Extends the lease; undefined: it has ended meanwhile, and others have taken over. */
  beat(): Promise<Beat | undefined>;
  /** Ends the leases of other servers that were last seen before this time of the database. */
  endExpired(seenBefore: number): Promise<void>;
  /** A server whose lease has ended, for one caller at a time to clean up after it. */
  claimEnded(): Promise<string | undefined>;
  /** What it left is cleaned up. */
  forget(serverId: string): Promise<void>;
  /**
   * Leads from now on for `leaseMs`, or extends that; false: another server leads. A server that has
   * left, or whose lease has ended, cannot lead.
   */
  lead(leaseMs: number): Promise<boolean>;
  /** The time of the database. */
  now(): Promise<number>;
  list(): Promise<readonly ServerRow[]>;
  /** The process stops on purpose, and leads no more. Others wait `forMs` for its next start before they take over. */
  leave(forMs: number): Promise<void>;
  close(): Promise<void>;
};
