export type WorkerLease = ReturnType<typeof createWorkerLease>;

/** Measured with the monotonic clock of this host, so that it ends without any server, too. */
export function createWorkerLease(leaseMs: number, onEnded: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isHeld = false;
  function end(): void {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    onEnded();
  }
  return {
    leaseMs,
    isHeld: (): boolean => isHeld,
    /** From the question on, not from its answer: servers count from a moment between the two. */
    extend(askedAt: number): void {
      isHeld = true;
      clearTimeout(timer);
      timer = setTimeout(end, Math.max(0, leaseMs - (performance.now() - askedAt)));
    },
    end,
    close: () => clearTimeout(timer),
  };
}
