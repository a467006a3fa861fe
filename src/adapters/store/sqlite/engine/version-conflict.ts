import { Refusal } from "../../../../domain/refusal.ts";

/** Of two concurrent changes, both valid, the second one fails here. */
export function versionConflict(what: string, version: number): Refusal {
  return new Refusal(
    "VERSION_CONFLICT",
    `${what} has moved on from version ${version}.`,
    "Read it again and decide again.",
  );
}
