import { Refusal } from "../../../../domain/refusal.ts";

/** Two who raced both computed a lawful next state; the second one loses here. */
export function versionConflict(what: string, version: number): Refusal {
  return new Refusal(
    "VERSION_CONFLICT",
    `${what} has moved on from version ${version}.`,
    "Read it again and decide again.",
  );
}
