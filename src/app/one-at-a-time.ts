/**
 * Runs the work when asked, never twice at once: asked during a run, it runs once more after it.
 * The answer comes when all that was asked for is done. The work must not reject.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
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
