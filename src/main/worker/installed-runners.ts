import type { Runner } from "../../app/ports/runner.ts";
import type { WorkerHello } from "../../contract/workers/messages.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";

/** People update CLIs while the worker runs. */
const FRESH_MS = 3_600_000;
const MAX_VERSION_CHARS = 100;

type Runners = ReadonlyMap<RunnerId, Runner>;

/** The agent CLIs of this host, with the versions that are known so far. */
export function createInstalledRunners(now: () => number = () => performance.now()) {
  const versions = new Map<RunnerId, string>();
  let askedAt = -Infinity;

  /** Starts no program: a worker connects without waiting for slow CLIs. */
  async function list(runners: Runners): Promise<WorkerHello["runners"]> {
    const found = await Promise.all(
      [...runners.values()].map(async (runner) => {
        const installed = await runner.detect();
        return installed && { id: runner.id, version: versions.get(runner.id) ?? null };
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
  };
}
