import type { RunnerId } from "../../domain/agents/runner.ts";
import { isFresh, isOffered, type KnownModels, type Target } from "../../domain/health/health.ts";
import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";
import { emitHealth } from "./health-events.ts";

/** A second limit, in case a runner's own time limit fails. */
const LIMIT_MS = 30_000;

/**
 * Asks each runner in use for its models, unless a fresh cached list contains all models in use: a
 * cached list never makes a role unavailable.
 */
export async function learnModels(
  core: Core,
  targets: readonly Target[],
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const inUse = Map.groupBy(
    targets.filter(({ missing }) => missing === null),
    ({ runner }) => runner,
  );
  await Promise.all(
    [...inUse].map(async ([id, ofRunner]) => {
      const runner = core.runners.get(id);
      if (!runner) return;
      const cached = force ? undefined : await cachedModels(core, ofRunner, id);
      const known =
        cached ?? (await core.health.askOnce(id, () => askModels(core, runner, signal)));
      if (known) core.health.learnModels(id, known);
    }),
  );
}

async function cachedModels(
  core: Core,
  targets: readonly Target[],
  runner: RunnerId,
): Promise<KnownModels | undefined> {
  // The stored list may be that of another server, whose CLI may have other models.
  const known =
    core.serverId === null ? await core.store.getModels(runner) : core.health.models(runner);
  const { cacheTtlMs } = core.settings.healthCheck;
  if (!known?.models || !isFresh(known.checkedAt, core.clock.now(), cacheTtlMs)) return undefined;
  const { models } = known;
  return targets.every((target) => isOffered(target, models)) ? known : undefined;
}

/** undefined: the daemon is stopping. */
async function askModels(
  core: Core,
  runner: Runner,
  signal: AbortSignal,
): Promise<KnownModels | undefined> {
  const models = await withinLimit(runner, signal);
  if (signal.aborted) return undefined;
  const checkedAt = core.clock.now();
  if (models) {
    await emitHealth(core, [], (unit) => unit.putModels({ runner: runner.id, models, checkedAt }));
  }
  const isMissing = models === undefined && (await runner.detect()) === undefined;
  return { models, checkedAt, ...(isMissing && { isMissing }) };
}

async function withinLimit(
  runner: Runner,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => resolve(undefined);
  const timer = setTimeout(stop, LIMIT_MS);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([runner.models().catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
