import type { Core } from "../core.ts";
import { eachAtMost } from "../each-at-most.ts";
import { candidatesFor, wantedRunner } from "../roles/resolve-runner.ts";
import { checkRunner } from "./check-runner.ts";
import type { Candidate } from "./health-targets.ts";

/**
 * Runs CLIs with a problem that roles have passed over: no other check would find out that they work
 * again. Returns whether one does.
 */
export async function askTroubledRunners(
  core: Core,
  candidates: readonly Candidate[],
): Promise<boolean> {
  const { health, settings } = core;
  const inUse = new Set(candidates.map(({ target }) => target.runner));
  const wanted = new Set(
    candidates.flatMap(({ role }) => candidatesFor(core, wantedRunner(core, role))),
  );
  const troubled = health
    .problems()
    .filter(({ runner }) => wanted.has(runner) && !inUse.has(runner) && core.runners.has(runner));
  await eachAtMost(settings.healthCheck.concurrency, troubled, async ({ runner }) => {
    await checkRunner(core, runner);
  });
  return troubled.some(({ runner }) => health.problem(runner) === undefined);
}
