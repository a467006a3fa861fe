import type { HealthRecord, ModelsRecord } from "../../../../app/ports/store.ts";
import type { RunnerId } from "../../../../domain/agents/runner.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";

const MODELS = jsonColumn<readonly string[]>();

export async function listHealth(db: Db): Promise<readonly HealthRecord[]> {
  return db
    .selectFrom("health_checks")
    .select(["runner", "model", "access", "status", "reason"])
    .select(["response_ms as responseMs", "checked_at as checkedAt"])
    .orderBy("runner")
    .orderBy("model")
    .orderBy("access")
    .execute();
}

export async function putHealth(db: Db, record: HealthRecord): Promise<void> {
  const { runner, model, access, status, reason } = record;
  const found = {
    status,
    reason,
    response_ms: record.responseMs,
    checked_at: record.checkedAt,
  };
  await db
    .insertInto("health_checks")
    .values({ runner, model, access, ...found })
    .onConflict((conflict) => conflict.columns(["runner", "model", "access"]).doUpdateSet(found))
    .execute();
}

export async function getModels(db: Db, runner: RunnerId): Promise<ModelsRecord | undefined> {
  const row = await db
    .selectFrom("runner_models")
    .selectAll()
    .where("runner", "=", runner)
    .executeTakeFirst();
  return row && { runner, models: MODELS.read(row.models), checkedAt: row.checked_at };
}

export async function putModels(db: Db, record: ModelsRecord): Promise<void> {
  const found = { models: MODELS.write(record.models), checked_at: record.checkedAt };
  await db
    .insertInto("runner_models")
    .values({ runner: record.runner, ...found })
    .onConflict((conflict) => conflict.column("runner").doUpdateSet(found))
    .execute();
}
