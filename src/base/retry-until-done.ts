const RETRY_MS = 1_000;

/**
 * Runs the work and, when it fails, again in the background until it succeeds. Resolves after the
 * first attempt, so that a caller with more to do is not held up. Never rejects; the retries do not
 * keep the process alive.
 */
export async function retryUntilDone(
  work: () => void | Promise<void>,
  onFailed: (error: unknown) => void,
  retryMs = RETRY_MS,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    onFailed(error);
    setTimeout(() => void retryUntilDone(work, onFailed, retryMs), retryMs).unref();
  }
}
