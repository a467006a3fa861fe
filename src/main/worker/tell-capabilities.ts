import type { ServerLink } from "../../adapters/workers/server-link.ts";
import type { Runner } from "../../app/ports/runner.ts";
import type { Log } from "../../app/ports/world.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { createInstalledRunners } from "./installed-runners.ts";

/** The CLIs themselves are asked at most once per hour. */
const LOOK_EVERY_MS = 600_000;

type Runners = ReadonlyMap<RunnerId, Runner>;

/**
 * Tells the server the versions and models of the agent CLIs. Some CLIs need seconds for it, so the
 * worker takes agents before. An update may add models while the worker is connected.
 */
export function tellCapabilities(installed: ReturnType<typeof createInstalledRunners>, log: Log) {
  let timer: NodeJS.Timeout | undefined;
  async function ask({ tell }: Pick<ServerLink, "tell">, runners: Runners): Promise<void> {
    for (const known of [() => installed.ask(runners), () => installed.askModels(runners)]) {
      const found = await known();
      // An older server does not know the message, and ignores it.
      if (found) tell("describe", { runners: found });
    }
  }
  function soon(link: Pick<ServerLink, "tell">, runners: Runners): void {
    timer ??= setInterval(() => soon(link, runners), LOOK_EVERY_MS).unref();
    ask(link, runners).catch((error: unknown) =>
      log.warn("The versions and models of the agent CLIs could not be read.", {
        error: String(error),
      }),
    );
  }
  return { soon, stop: () => clearInterval(timer) };
}
