/** A worker waits for a quarter of its lease. */
const ANSWERS_PER_LEASE = 6;

/**
 * An answer of the database while the worker still waits for ours. A database that is cut off may be
 * silent for minutes, and the worker must learn that this server has none.
 */
export async function inTime<T>(answer: Promise<T>, leaseMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error("The database does not answer in time.")),
    leaseMs / ANSWERS_PER_LEASE,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
