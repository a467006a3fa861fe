/**
 * Coalesces requests to run the work: it never runs twice at once, and every promise belongs to a
 * run that began after its request. Under constant load each caller waits for two runs at most.
 */
export function runFresh(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    current = work().finally(() => (current = undefined));
    return current;
  }
  return () => {
    if (!current) return start();
    next ??= current.then(start, start);
    return next;
  };
}
