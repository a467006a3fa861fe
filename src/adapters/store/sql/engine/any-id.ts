import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Db } from "./tables.ts";

/** A text from outside that is compared with ids; a text of another shape is not found. */
export function anyId<Id extends string>(text: string): RawBuilder<Id> {
  return sql<Id>`${text}`;
}

/** One SQL text for any number of ids: it is prepared once and avoids the limit of parameters. */
export function anyIds<Id extends string>(db: Db, texts: readonly string[]): RawBuilder<Id> {
  return isPostgres(db)
    ? sql<Id>`(select json_array_elements_text(${idList(texts)}::json))`
    : sql<Id>`(select value from json_each(${idList(texts)}))`;
}

/** The value that `anyIds` binds. No id has a NUL, and PostgreSQL refuses a text with one. */
export function idList(texts: readonly string[]): string {
  return JSON.stringify(texts.filter((text) => !text.includes("\0")));
}
