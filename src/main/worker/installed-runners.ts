import type { Runner } from "../../app/ports/runner.ts";
import { MAX_MODEL_CHARS, MAX_MODELS, type WorkerHello } from "../../contract/workers/messages.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";

/** People update CLIs while the worker runs. */
const FRESH_MS = 3_600_000;
const MAX_VERSION_CHARS = 100;

type Runners = ReadonlyMap<RunnerId, Runner>;

/** The agent CLIs of this host, with the versions and models that are known so far. */
export function createInstalledRunners(now: () => number = () => performance.now()) {
  const versions = new Map<RunnerId, string>();
  const models = new Map<RunnerId, readonly string[]>();
  let askedAt = -Infinity;
  let modelsAskedAt = -Infinity;

  /** Starts no program: a worker connects without waiting for slow CLIs. */
  async function list(runners: Runners): Promise<WorkerHello["runners"]> {
    const found = await Promise.all(
      [...runners.values()].map(async (runner) => {
        const installed = await runner.detect();
        const listed = models.get(runner.id);
        return (
          installed && {
            id: runner.id,
            version: versions.get(runner.id) ?? null,
            ...(listed && { models: [...listed] }),
          }
        );
      }),
    );
    return found.filter((each) => each !== undefined);
  }

  return {
    list,
    /** Asks one CLI after the other for its version. Undefined: what it knows is fresh. */
    async ask(runners: Runners): Promise<WorkerHello["runners"] | undefined> {
      if (now() - askedAt < FRESH_MS) return undefined;
      askedAt = now();
      for (const runner of runners.values()) {
        const installed = await runner.detect();
        const version = installed && (await runner.version(installed.command));
        if (version === undefined) versions.delete(runner.id);
        else versions.set(runner.id, version.slice(0, MAX_VERSION_CHARS));
      }
      return list(runners);
    },
    /** The same for their models. A list that is too long stays unknown: a part of it would mislead. */
    async askModels(runners: Runners): Promise<WorkerHello["runners"] | undefined> {
      if (now() - modelsAskedAt < FRESH_MS) return undefined;
      modelsAskedAt = now();
      for (const runner of runners.values()) {
        // Its list could refuse no model.
        if (runner.takesOtherModels) continue;
        const listed = (await runner.detect()) && (await runner.models().catch(() => undefined));
        if (listed && isShort(listed)) models.set(runner.id, listed);
        else models.delete(runner.id);
      }
      return list(runners);
    },
  };
}

function isShort(models: readonly string[]): boolean {
  return models.length <= MAX_MODELS && models.every(({ length }) => length <= MAX_MODEL_CHARS);
}
