export type WorkerLease = ReturnType<typeof createWorkerLease>;

/** Measured with the monotonic clock of this host, so that it ends without any server, too. */
export function createWorkerLease(onEnded: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isHeld = false;
  let lengthMs = 0;
  let endsAt = 0;
  function end(): void {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    onEnded();
  }
  return {
    /** Each server says how long the lease is that it extends. */
    use: (leaseMs: number): void => void (lengthMs = leaseMs),
    lengthMs: (): number => lengthMs,
    isHeld: (): boolean => isHeld,
    remainingMs: (): number => Math.max(0, endsAt - performance.now()),
    /** From the question on, not from its answer: servers count from a moment between the two. */
    extend(askedAt: number): void {
      isHeld = true;
      clearTimeout(timer);
      endsAt = askedAt + lengthMs;
      timer = setTimeout(end, Math.max(0, endsAt - performance.now()));
    },
    end,
    close: () => clearTimeout(timer),
  };
}
