import type { Selectable } from "kysely";
import type { RunnerId } from "../../../../domain/agents/runner.ts";
import type { RunnerProblem } from "../../../../domain/health/runner-problem.ts";
import type { Db, RunnerProblemTable } from "../engine/tables.ts";

export async function listRunnerProblems(db: Db): Promise<readonly RunnerProblem[]> {
  const rows = await db.selectFrom("runner_problems").selectAll().orderBy("runner").execute();
  return rows.map(toProblem);
}

export async function getRunnerProblem(
  db: Db,
  runner: RunnerId,
): Promise<RunnerProblem | undefined> {
  const row = await db
    .selectFrom("runner_problems")
    .selectAll()
    .where("runner", "=", runner)
    .executeTakeFirst();
  return row && toProblem(row);
}

function toProblem({ reset_known, ...row }: Selectable<RunnerProblemTable>): RunnerProblem {
  return { ...row, isResetKnown: reset_known === 1 };
}

export async function putRunnerProblem(db: Db, problem: RunnerProblem): Promise<void> {
  const { runner, isResetKnown, ...rest } = problem;
  const found = { ...rest, reset_known: isResetKnown ? 1 : 0 };
  await db
    .insertInto("runner_problems")
    .values({ runner, ...found })
    .onConflict((conflict) => conflict.column("runner").doUpdateSet(found))
    .execute();
}

export async function deleteRunnerProblem(db: Db, runner: RunnerId): Promise<void> {
  await db.deleteFrom("runner_problems").where("runner", "=", runner).execute();
}
