import type { Worker, WorkerDetails } from "../../domain/workers/worker.ts";

/** A worker with what is known of its connection. Times are those of the database. */
export type WorkerRow = Worker & {
  /** `never`: it has not connected yet. `left`: it ended its lease itself. */
  readonly state: "connected" | "lost" | "left" | "never";
  readonly details: WorkerDetails | null;
  /** The server that it is connected to. */
  readonly serverId: string | null;
  readonly seenMsAgo: number | null;
  /** How many agents are alive there. */
  readonly agents: number;
};

export type Admission =
  /** `isMoved`: an earlier connection was to another server process. */
  | { readonly kind: "admitted"; readonly epoch: number; readonly isMoved: boolean }
  /** Its lease has ended, and no server has cleaned up yet. */
  | { readonly kind: "ended" }
  /** A process with another data directory is connected with the same token. */
  | { readonly kind: "taken"; readonly by: WorkerDetails | null };

/**
 * Workers and their leases. The server that a worker is connected to extends its lease. Times are
 * those of the database: clocks of hosts differ.
 */
export type Workers = {
  /** False: another worker has the name. */
  add(worker: Worker, tokenHash: string): Promise<boolean>;
  list(): Promise<readonly WorkerRow[]>;
  findByToken(tokenHash: string): Promise<Worker | undefined>;
  /** Deletes the worker and its token. Its lease ends at once. False: there is none. */
  revoke(id: string): Promise<boolean>;
  /** Begins a new epoch: a connection that still uses the one before is fenced. */
  admit(
    id: string,
    who: {
      readonly instance: string;
      /** Its agents go on, so an old lease that no server has ended is still its own. */
      readonly hasLease: boolean;
      readonly serverId: string;
      readonly serverProcess: string;
    },
    details: WorkerDetails,
    leaseMs: number,
  ): Promise<Admission>;
  describe(id: string, epoch: number, details: WorkerDetails): Promise<void>;
  /** Extends the lease; false: it has ended, or another connection has it. */
  beat(id: string, epoch: number): Promise<boolean>;
  /** The worker stops on purpose; servers wait `forMs` for its next start. */
  leave(id: string, epoch: number, forMs: number): Promise<void>;
  /** Ends the leases of workers that were last seen before this time of the database. */
  endExpired(seenBefore: number): Promise<void>;
  /** A worker whose lease has ended, for one caller at a time to clean up after it. */
  claimEnded(): Promise<string | undefined>;
  /** What it left is cleaned up; it may connect again. */
  forget(id: string): Promise<void>;
  close(): Promise<void>;
};
