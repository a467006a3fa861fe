import type { RunnerId } from "../domain/agents/runner.ts";
import type { Core } from "./core.ts";
import type { Runner } from "./ports/runner.ts";

export type RunnerModels = {
  readonly runner: RunnerId;
  readonly models: readonly string[];
  readonly checkedAt: number | null;
  readonly note: string | null;
};

export type FoundRunner = { readonly id: RunnerId; readonly command: string | null };

/** The known models of each CLI; starts no process. */
export async function viewModels(core: Core): Promise<readonly RunnerModels[]> {
  return Promise.all([...core.runners.values()].map((runner) => modelsOf(core, runner)));
}

export async function viewRunners(core: Core): Promise<readonly FoundRunner[]> {
  return Promise.all(
    [...core.runners.values()].map(async (runner) => ({
      id: runner.id,
      command: (await runner.detect())?.command ?? null,
    })),
  );
}

async function modelsOf(core: Core, runner: Runner): Promise<RunnerModels> {
  const { id } = runner;
  const known = core.health.models(id) ?? (await core.store.getModels(id));
  const models = known?.models ?? [];
  const isInstalled = (await runner.detect()) !== undefined;
  return {
    runner: id,
    models,
    checkedAt: known?.checkedAt ?? null,
    note: models.length > 0 ? null : noteFor(id, isInstalled, known !== undefined),
  };
}

function noteFor(id: RunnerId, isInstalled: boolean, wasAsked: boolean): string {
  if (id === "rehearsal") return "No model is asked: any name will do.";
  if (!isInstalled) return "Not installed.";
  return wasAsked ? "It did not name its models." : "Not asked yet.";
}
