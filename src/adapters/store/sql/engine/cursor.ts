import { Refusal } from "../../../../domain/refusal.ts";

/** The position of the last row of a page, in the order newest first. */
export type Position = { readonly at: number; readonly seq: number };

export function toCursor({ at, seq }: Position): string {
  return Buffer.from(`${at}:${seq}`).toString("base64url");
}

export function fromCursor(cursor: string): Position {
  const parts = /^(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) {
    throw new Refusal("INVALID_CURSOR", {
      en: [
        "The cursor is invalid.",
        "Use nextCursor of the previous page unchanged, or leave it out to start at the newest.",
      ],
      ja: [
        "カーソルが正しくありません。",
        "前のページの nextCursor をそのまま渡すか、省略して最新から読んでください。",
      ],
    });
  }
  return { at: Number(parts[1]), seq: Number(parts[2]) };
}

/** `rows` has one row more than the limit if there is a next page. */
export function pageOf<Row extends { readonly seq: number }>(
  rows: readonly Row[],
  limit: number,
  atOf: (row: Row) => number,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last ? toCursor({ at: atOf(last), seq: last.seq }) : null };
}
