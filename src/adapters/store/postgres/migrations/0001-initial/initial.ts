import { type Kysely, sql } from "kysely";
import { AGENTS } from "./agents.ts";
import { SLACK } from "./slack.ts";
import { SYSTEM } from "./system.ts";
import { TASKS } from "./tasks.ts";
import { TRANSCRIPTS } from "./transcripts.ts";
import { WORKSPACES } from "./workspaces.ts";

const TABLES: readonly string[] = [
  ...TASKS,
  ...AGENTS,
  ...SYSTEM,
  ...SLACK,
  ...WORKSPACES,
  ...TRANSCRIPTS,
];

/**
 * The tables of the SQLite schema 0019, without its counters: writers would wait for them. Those of
 * servers are new.
 */
export const initial = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...RULES]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const RULES: readonly string[] = [
  `
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name;
    end $$`,
  `
    create trigger events_are_not_changed before update on events
    for each row execute function refuse_change()`,
  // Never deleted: a chain with a gap proves nothing.
  `
    create trigger audit_is_not_changed before update or delete on audit
    for each row execute function refuse_change()`,
  `
    create trigger audit_is_not_emptied before truncate on audit
    for each statement execute function refuse_change()`,
];
