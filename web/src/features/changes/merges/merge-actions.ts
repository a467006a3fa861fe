import type { WireMerge } from "../../../../../src/contract/shapes/merges.ts";
import { MERGE_TRANSITIONS } from "../../../../../src/contract/values.ts";

type Status = WireMerge["status"];

/** It is approved and did not land. */
export function canRetry(status: Status): boolean {
  return "retried" in MERGE_TRANSITIONS[status];
}

/** It is on its way or waits for a person; a change has at most one such merge. */
export function canCancel(status: Status): boolean {
  return "cancelled" in MERGE_TRANSITIONS[status];
}
