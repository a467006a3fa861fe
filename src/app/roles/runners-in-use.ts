import type { RunnerId } from "../../domain/agents/runner.ts";
import type { Core } from "../core.ts";
import { installedRunners, runnerIn, wantedRunner } from "./resolve-runner.ts";

/** The runners that the roles would use now, without rehearsals. */
export async function runnersInUse(core: Core): Promise<readonly RunnerId[]> {
  const installed = await installedRunners(core);
  const found = [...core.roles.values()].map((role) =>
    runnerIn(core, installed, wantedRunner(core, role)),
  );
  return [...core.runners.keys()].filter((id) => id !== "rehearsal" && found.includes(id));
}
