import { type Kysely, sql } from "kysely";

/**
 * Usage by the model that the CLI reported, and with the cost that it reported. What earlier
 * versions added up has neither.
 */
export const reportedCosts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table usage_daily rename to usage_before`.execute(db);
    await sql`
      create table usage_daily (
        day text not null,
        runner text not null,
        model text not null,
        role text not null,
        reported_model text not null,
        has_cost integer not null,
        cost_usd real not null,
        agents integer not null,
        input_tokens integer not null,
        output_tokens integer not null,
        cache_read_tokens integer not null,
        cache_write_tokens integer not null,
        primary key (day, runner, model, role, reported_model, has_cost)
      ) without rowid`.execute(db);
    await sql`
      insert into usage_daily
        select day, runner, model, role, '', 0, 0, agents, input_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens
          from usage_before`.execute(db);
    await sql`drop table usage_before`.execute(db);
  },
};
