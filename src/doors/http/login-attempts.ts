const WINDOW_MS = 60_000;
const MOST_FAILURES = 10;
const MOST_ADDRESSES = 10_000;

export type LoginAttempts = {
  /** How long this address must wait; 0: it may try now. */
  waitMs(address: string): number;
  failed(address: string): void;
};

/** Keeps attempts to guess a token from filling the audit. In memory only. */
export function createLoginAttempts(now: () => number = () => performance.now()): LoginAttempts {
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
    waitMs(address) {
      const found = current(address);
      return found && found.count >= MOST_FAILURES ? found.since + WINDOW_MS - now() : 0;
    },
    failed(address) {
      const found = current(address);
      if (found) {
        found.count++;
        return;
      }
      forgetOld();
      // Delete first, so that the map stays ordered by the start of the windows.
      failures.delete(address);
      failures.set(address, { since: now(), count: 1 });
    },
  };
}
