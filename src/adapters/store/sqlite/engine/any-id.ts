import { type RawBuilder, sql } from "kysely";

/** A text from outside to be compared with an id: one of another shape is simply not found. */
export function anyId<Id extends string>(text: string): RawBuilder<Id> {
  return sql<Id>`${text}`;
}

/** One SQL text however many there are, so it is prepared once and has no limit of parameters. */
export function anyIds<Id extends string>(texts: readonly string[]): RawBuilder<Id> {
  return sql<Id>`(select value from json_each(${JSON.stringify(texts)}))`;
}
