/**
 * Coalesces requests to run the work: it never runs twice at once, and requests during a run cause
 * one more run. The promise resolves when all requested runs are done. The work must not reject.
 */
export function runCoalesced(work: () => Promise<void>): () => Promise<void> {
  let isWanted = false;
  let running: Promise<void> | undefined;

  async function runWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work();
    }
  }
  return () => {
    isWanted = true;
    running ??= runWhileWanted().finally(() => (running = undefined));
    return running;
  };
}
