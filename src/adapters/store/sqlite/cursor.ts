import { Refusal } from "../../../domain/refusal.ts";

/** Where a page ended: the place of its last agent in the order newest first. */
export type Position = { readonly createdAt: number; readonly seq: number };

export function toCursor({ createdAt, seq }: Position): string {
  return Buffer.from(`${createdAt}:${seq}`).toString("base64url");
}

export function fromCursor(cursor: string): Position {
  const parts = /^(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) {
    throw new Refusal(
      "INVALID_CURSOR",
      "The cursor is not one of ours.",
      "Use nextCursor of the page before as it is, or leave it out to start at the newest.",
    );
  }
  return { createdAt: Number(parts[1]), seq: Number(parts[2]) };
}
