import { Refusal } from "../../../../domain/refusal.ts";

/** Optimistic locking: the second of two concurrent changes fails with this. */
export function versionConflict(what: string, version: number): Refusal {
  return new Refusal(
    "VERSION_CONFLICT",
    `${what} has changed since version ${version}.`,
    "Read it again and decide again.",
  );
}
