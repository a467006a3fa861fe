import { createHash } from "node:crypto";

/** Names a text of the configuration file; no file and an empty one are the same. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
