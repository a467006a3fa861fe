import type { SharedState } from "../../app/ports/shared-state.ts";

const WINDOW_MS = 60_000;
const MOST_FAILURES = 10;
const MOST_ADDRESSES = 10_000;

export type LoginAttempts = {
  /** Counts a wrong token. Returns how long its address must wait; 0: it may try again now. */
  failed(address: string): Promise<number>;
};

/** Keeps attempts to guess a token from filling the audit; all servers count together. */
export function createLoginAttempts(shared: SharedState | undefined): LoginAttempts {
  const limit = { count: MOST_FAILURES, windowMs: WINDOW_MS };
  if (shared) return { failed: (address) => shared.countWrongToken(address, limit) };
  return inMemory(() => performance.now());
}

function inMemory(now: () => number): LoginAttempts {
  const failures = new Map<string, { readonly since: number; count: number }>();

  function current(address: string) {
    const found = failures.get(address);
    return found && now() - found.since < WINDOW_MS ? found : undefined;
  }
  function forgetOld(): void {
    for (const [address, { since }] of failures) {
      if (now() - since < WINDOW_MS && failures.size < MOST_ADDRESSES) return;
      failures.delete(address);
    }
  }

  return {
    async failed(address) {
      const found = current(address);
      if (found && found.count >= MOST_FAILURES) return found.since + WINDOW_MS - now();
      if (found) {
        found.count++;
        return 0;
      }
      forgetOld();
      // Delete first, so that the map stays ordered by the start of the windows.
      failures.delete(address);
      failures.set(address, { since: now(), count: 1 });
      return 0;
    },
  };
}
