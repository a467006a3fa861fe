import { Refusal } from "../domain/refusal.ts";
import type { Role } from "../domain/role.ts";
import { RUNNER_IDS, type RunnerId } from "../domain/runner.ts";
import type { Core } from "./core.ts";
import type { Runner } from "./ports/runner.ts";

export type ResolvedRunner = { readonly runner: Runner; readonly command: string };

/** The runner a role is run with now: the one it names, else the first installed CLI, else rehearsal. */
export async function resolveRunner(
  core: Pick<Core, "runners" | "settings">,
  role: Role,
): Promise<ResolvedRunner> {
  const wanted = role.runner === "auto" ? core.settings.runner : role.runner;
  const candidates = wanted === "auto" ? RUNNER_IDS : [wanted];
  for (const id of candidates) {
    const found = await findRunner(core, id);
    if (found) return found;
  }
  throw new Refusal(
    "ROLE_UNAVAILABLE",
    `Role ${role.id} needs the ${wanted} CLI, which was not found on PATH.`,
    "Install it and restart the daemon, or set another runner for the role in kuromajutsu.config.yaml.",
  );
}

export async function findRunner(
  core: Pick<Core, "runners">,
  id: RunnerId,
): Promise<ResolvedRunner | undefined> {
  const runner = core.runners.get(id);
  const found = await runner?.detect();
  return runner && found ? { runner, command: found.command } : undefined;
}

/**
 * A model the user wrote is never replaced. A built-in role's model is a Cursor name: another
 * runner uses its own default where it has one, and what is used is shown.
 */
export function modelFor(role: Role, runner: Pick<Runner, "id" | "defaultModel">): string {
  if (typeof role.model !== "string") {
    return role.model[runner.id] ?? runner.defaultModel ?? "default";
  }
  if (role.modelFrom === "user" || runner.id === "cursor") return role.model;
  return runner.defaultModel ?? role.model;
}
