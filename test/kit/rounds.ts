/** The variable that `npm run test:faults` sets. */
export const ALL_ROUNDS = "KUROMAJUTSU_ALL_ROUNDS";

/**
 * Fault suites repeat the same code many times. `npm run test:faults` runs all rounds; `npm test` runs
 * a few of them, so that it stays short.
 */
export const HAS_ALL_ROUNDS = process.env[ALL_ROUNDS] === "1";

/** What `npm test` runs, and more of the same that only `npm run test:faults` runs. */
export function withMore<T>(few: readonly T[], more: readonly T[]): readonly T[] {
  return HAS_ALL_ROUNDS ? [...few, ...more] : few;
}

export function rounds({ all, few }: { readonly all: number; readonly few: number }): number {
  return HAS_ALL_ROUNDS ? all : few;
}
