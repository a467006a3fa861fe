/** Timers that end together and do not keep the process alive. */
export function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  return {
    after(ms: number, work: () => void): void {
      if (isClosed) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timer.unref();
      timers.add(timer);
    },
    close(): void {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
