import { type RawBuilder, sql } from "kysely";

/** A text from outside that is compared with ids; a text of another shape is not found. */
export function anyId<Id extends string>(text: string): RawBuilder<Id> {
  return sql<Id>`${text}`;
}

/** One SQL text for any number of ids: it is prepared once and avoids the limit of parameters. */
export function anyIds<Id extends string>(texts: readonly string[]): RawBuilder<Id> {
  return sql<Id>`(select value from json_each(${JSON.stringify(texts)}))`;
}
