import { type RawBuilder, sql } from "kysely";
import type { Scope } from "../../sql/engine/transactions.ts";
import type { RowsOfUnit } from "../../sql/engine/unit-of-work.ts";
import { ADVISORY_LOCKS, KEYED_LOCKS } from "./advisory-locks.ts";

/**
 * Reads by which a unit of work decides, but not by the id of one row. Where the unit may find
 * nothing and then insert a row, there is no row to lock, so an advisory lock keeps other units away.
 */
export function lockingLists(unit: RowsOfUnit, scope: () => Scope): Partial<RowsOfUnit> {
  const lock = (statement: RawBuilder<unknown>) => scope().run((db) => statement.execute(db));

  return {
    async getSlackMessage(key) {
      await lock(keyedLock(KEYED_LOCKS.slackMessage, key));
      // Messages of a workspace that is removed are changed together, without the lock of their keys.
      await lock(sql`select 1 from slack_messages where key = ${key} for no key update`);
      return unit.getSlackMessage(key);
    },
    async getSlackInstallation(team) {
      await lock(sql`select 1 from slack_installations where team = ${team} for update`);
      return unit.getSlackInstallation(team);
    },
    async getAlertCursor() {
      await lock(sql`select 1 from alert_cursor for no key update`);
      return unit.getAlertCursor();
    },
    async getRunnerProblem(runner) {
      // Two servers may both find the first problem: its count begins with 1 either way.
      await lock(sql`select 1 from runner_problems where runner = ${runner} for update`);
      return unit.getRunnerProblem(runner);
    },
    async listToolPins() {
      await lock(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.toolPins})`);
      return unit.listToolPins();
    },
    async listLeasedPorts() {
      await lock(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.ports})`);
      return unit.listLeasedPorts();
    },
    async listWritersIn(tree) {
      await lock(keyedLock(KEYED_LOCKS.tree, tree));
      return unit.listWritersIn(tree);
    },
    async listAgentsResuming(runner, sessionId) {
      await lock(keyedLock(KEYED_LOCKS.conversation, sessionId));
      return unit.listAgentsResuming(runner, sessionId);
    },
    async listOpenNotifications(agentId) {
      await lock(sql`
        select 1 from notifications where agent_id = ${agentId} and status in ('pending', 'announced')
          order by seq for no key update`);
      return unit.listOpenNotifications(agentId);
    },
    async listStopNotifications(agentId) {
      await lock(sql`
        select 1 from notifications where agent_id = ${agentId}
            and type in ('blocked', 'cancelled') and status <> 'cleared'
          order by seq for no key update`);
      return unit.listStopNotifications(agentId);
    },
  };
}

function keyedLock(space: number, key: string): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock(${space}, hashtext(${key}))`;
}
