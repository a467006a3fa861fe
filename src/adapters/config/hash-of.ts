import { createHash } from "node:crypto";

/**
 * Identifies a text of the configuration file; a missing file and an empty one have the same hash.
 */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
