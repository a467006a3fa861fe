import { type Kysely, type RawBuilder, sql } from "kysely";

/**
 * Lists show only agents in view, so their indexes contain only those. The counts stay those of all
 * agents; agents that left the view are counted separately (scope `out:`), because an agent leaves
 * once but changes its status often.
 */
export const listsInView = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...INDEXES, ...COUNTS]) await statement.execute(db);
  },
};

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`drop index agents_newest`,
  sql`drop index agents_by_status`,
  sql`drop index agents_by_group_and_status`,
  sql`drop index agents_in_view_by_group`,
  sql`
    create index agents_in_view_by_group on agents (group_id, created_at, seq)
    where in_view = 1`,
  sql`
    create index agents_in_view_by_status on agents (status, created_at, seq)
    where in_view = 1`,
  sql`
    create index agents_in_view_by_group_and_status on agents (group_id, status, created_at, seq)
    where in_view = 1`,
];

const COUNTS: readonly RawBuilder<unknown>[] = [
  sql`
    insert into agent_counts
      select 'out:*', status, count(*) from agents where in_view = 0 group by status
      union all
      select 'out:' || group_id, status, count(*) from agents where in_view = 0
        group by group_id, status`,
  sql`
    create trigger agents_counted_leaving after update of in_view on agents
    when old.in_view = 1 and new.in_view = 0 begin
      insert into agent_counts
        values ('out:*', new.status, 1), ('out:' || new.group_id, new.status, 1)
        on conflict do update set n = n + 1;
    end`,
  // A report may come after the agent has left the view.
  sql`
    create trigger agents_counted_out_update after update of status on agents
    when old.in_view = 0 and old.status <> new.status begin
      update agent_counts set n = n - 1
        where scope in ('out:*', 'out:' || old.group_id) and status = old.status;
      insert into agent_counts
        values ('out:*', new.status, 1), ('out:' || new.group_id, new.status, 1)
        on conflict do update set n = n + 1;
    end`,
  sql`
    create trigger agents_counted_out_delete after delete on agents when old.in_view = 0 begin
      update agent_counts set n = n - 1
        where scope in ('out:*', 'out:' || old.group_id) and status = old.status;
    end`,
];
