import { test } from "vitest";
import { HAS_ALL_ROUNDS } from "./rounds.ts";

/**
 * A test that `npm run test:faults` runs and `npm test` skips, so that it stays short. Another test,
 * which `npm test` runs, has the same promise.
 */
export const testOnlyInFaults = test.skipIf(!HAS_ALL_ROUNDS);
