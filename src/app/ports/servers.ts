/** What people see of a server. */
export type ServerDetails = {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
};

export type ServerRow = ServerDetails & {
  readonly id: string;
  readonly startedAt: number;
  /** How long ago it was seen, by the clock of the database. */
  readonly seenMsAgo: number;
};

/** The servers that share a database. Times are those of the database: clocks of hosts differ. */
export type Servers = {
  /** Stable over restarts: a restarted server finds its agents again. */
  readonly id: string;
  /** Begins a new epoch: a process that still uses the one before is fenced. */
  join(details: ServerDetails): Promise<void>;
  /** Extends the lease; false: it has ended meanwhile, and others have taken over. */
  beat(): Promise<boolean>;
  /** Ends the leases of servers that were not seen for `leaseMs`; each is returned to one caller. */
  endExpired(leaseMs: number): Promise<readonly string[]>;
  list(): Promise<readonly ServerRow[]>;
  /** Ends the own lease at once; agents go on, and the next start adopts them. */
  leave(): Promise<void>;
  close(): Promise<void>;
};
