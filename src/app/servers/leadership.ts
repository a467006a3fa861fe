import type { Clock } from "../ports/world.ts";

/** The server that leads does what only one server must do. */
export type Leadership = {
  /** Whether this server leads now. Ask right before each effect: a process may be paused anywhere. */
  isLeader(): boolean;
};

export type LeaderTerm = Leadership & {
  /** Call it before the database is asked: the term then ends here before it ends there. */
  now(): Moment;
  /** Leads from then on for so long, unless the term is extended. */
  extend(since: Moment, forMs: number): void;
  end(): void;
};

/** Opaque: both clocks at one moment. */
export type Moment = { readonly monotonic: number; readonly wall: number };

/**
 * The term of this server, measured with the clocks of its host. The monotonic clock goes on while the
 * process is stopped, and the wall clock also while the machine sleeps: the first to be over counts.
 */
export function createLeaderTerm(
  host: Clock,
  monotonic: () => number = () => performance.now(),
): LeaderTerm {
  let term: (Moment & { readonly forMs: number }) | undefined;
  return {
    now: () => ({ monotonic: monotonic(), wall: host.now() }),
    isLeader: () =>
      term !== undefined &&
      monotonic() - term.monotonic < term.forMs &&
      host.now() - term.wall < term.forMs,
    extend: (since, forMs) => void (term = { ...since, forMs }),
    end: () => void (term = undefined),
  };
}

/** A server that has its database for itself always leads. */
export const ALWAYS_LEADS: Leadership = { isLeader: () => true };
