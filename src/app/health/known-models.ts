import { isFresh } from "../../domain/health/health.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";
import { targetOf } from "./health-targets.ts";
import { learnModels } from "./learn-models.ts";

/** A working CLI lists its models within seconds; clients time out much later. */
const HOLD_MS = 8_000;
const CALL_AGAIN_S = 10;
/** How often a CLI is asked again about a model that was not in its list. */
const ASK_AGAIN_MS = 60_000;

/**
 * Whether the runner's list of models is still unknown. A rehearsal accepts any model, and with
 * health checks turned off the CLI is not asked.
 */
export function isBeingChecked(core: Core, { id }: Pick<Runner, "id">): boolean {
  const { enabled } = core.settings.healthCheck;
  return enabled && id !== "rehearsal" && core.health.models(id) === undefined;
}

/** Waits until the CLI has listed its models or failed to; rejects when the daemon stops. */
export async function untilModelsKnown(core: Core, role: Role, runner: Runner): Promise<void> {
  if (isBeingChecked(core, runner)) await learn(core, role, runner);
}

/** Before a model is refused, the CLI is asked again: an update may have added the model. */
export async function askAgainIfInvalid(core: Core, role: Role, runner: Runner): Promise<void> {
  const { status } = core.health.judge(targetOf(core, role, runner)).modelValidation;
  const askedAt = core.health.models(runner.id)?.checkedAt ?? 0;
  if (status === "valid" || isFresh(askedAt, core.clock.now(), ASK_AGAIN_MS)) return;
  await learn(core, role, runner);
}

async function learn(core: Core, role: Role, runner: Runner): Promise<void> {
  await learnModels(core, [targetOf(core, role, runner)], false, core.health.closing);
  // The daemon is stopping, so the model stays unknown; the next daemon asks again.
  core.health.closing.throwIfAborted();
}

/** Like untilModelsKnown, but refuses after a short wait. */
export async function requireModelsKnown(core: Core, role: Role, runner: Runner): Promise<void> {
  if (!isBeingChecked(core, runner)) return;
  const learning = untilModelsKnown(core, role, runner).then(() => true as const);
  // It may fail after the caller was refused, so its error is handled here.
  learning.catch((error: unknown) => {
    core.log.warn("The models of a CLI could not be read.", {
      runner: runner.id,
      error: String(error),
    });
  });
  if (await withinHold(learning)) return;
  throw new Refusal("ROLE_UNAVAILABLE", {
    en: [
      `Role ${role.id} is being checked: ${runner.id} has not listed its models yet.`,
      `Call again in ${CALL_AGAIN_S} s; list_roles says when it is available.`,
    ],
    ja: [
      `職種 ${role.id} は確認中です。${runner.id} のモデル一覧がまだ届いていません。`,
      `${CALL_AGAIN_S} 秒後にもう一度呼んでください。使えるかどうかは list_roles で分かります。`,
    ],
  });
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
