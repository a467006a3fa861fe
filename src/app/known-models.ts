import { Refusal } from "../domain/refusal.ts";
import type { Role } from "../domain/role.ts";
import type { Core } from "./core.ts";
import { targetOf } from "./health-targets.ts";
import { learnModels } from "./learn-models.ts";
import type { Runner } from "./ports/runner.ts";

/** A CLI that works names its models in a few seconds; clients give up on a call much later. */
const HOLD_MS = 8_000;
const CALL_AGAIN_S = 10;

/**
 * Whether nobody can say yet if the role's model exists. A rehearsal takes any model, and with
 * health checks turned off the CLI is not asked.
 */
export function isBeingChecked(core: Core, { id }: Pick<Runner, "id">): boolean {
  const { enabled } = core.settings.healthCheck;
  return enabled && id !== "rehearsal" && core.health.models(id) === undefined;
}

/** Waits until the CLI has named its models, or could not. */
export async function untilModelsKnown(core: Core, role: Role, runner: Runner): Promise<void> {
  if (!isBeingChecked(core, runner)) return;
  await learnModels(core, [targetOf(role, runner)], false, new AbortController().signal);
}

/** As untilModelsKnown, but holds its caller only for a short time and then refuses. */
export async function requireModelsKnown(core: Core, role: Role, runner: Runner): Promise<void> {
  if (!isBeingChecked(core, runner)) return;
  const learning = untilModelsKnown(core, role, runner).then(() => true as const);
  // The caller may have been answered already when it fails.
  learning.catch((error: unknown) => {
    core.log.warn("The models of a CLI could not be read.", {
      runner: runner.id,
      error: String(error),
    });
  });
  if (await withinHold(learning)) return;
  throw new Refusal(
    "ROLE_UNAVAILABLE",
    `Role ${role.id} is being checked: ${runner.id} has not named its models yet.`,
    `Call again in ${CALL_AGAIN_S} s; list_roles says when it is available.`,
  );
}

async function withinHold(learning: Promise<true>): Promise<boolean> {
  const held = Promise.withResolvers<false>();
  const timer = setTimeout(() => held.resolve(false), HOLD_MS);
  try {
    return await Promise.race([learning, held.promise]);
  } finally {
    clearTimeout(timer);
  }
}
