import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { createSyncExecutor } from "../../sqlite/engine/sync-executor.ts";
import { prepared } from "./prepared.ts";

async function aDatabase() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  database.exec("create table agent_counts (scope text, status text, n integer)");
  database.exec("insert into agent_counts values ('*', 'running', 2), ('g', 'running', 1)");
  return createSyncExecutor(database);
}

test("a prepared query is built once and bound to the values of each call", async () => {
  const db = await aDatabase();
  let built = 0;
  const count = prepared(
    (on, scope: string) => {
      built++;
      return on.selectFrom("agent_counts").select("n").where("scope", "=", scope);
    },
    (scope) => [scope],
  );
  expect((await count(db, "*")).rows).toEqual([{ n: 2 }]);
  expect((await count(db, "g")).rows).toEqual([{ n: 1 }]);
  expect(built).toBe(1);
});

test("a prepared query throws at the first call if its values have the wrong order", async () => {
  const db = await aDatabase();
  const wrong = prepared(
    (on, scope: string, n: number) =>
      on.selectFrom("agent_counts").select("n").where("scope", "=", scope).where("n", "=", n),
    (scope, n) => [n, scope],
  );
  expect(() => wrong(db, "*", 2)).toThrow("not those of the query");
});
