import { reasonIn } from "../../contract/reason-texts.ts";
import { isFresh, reasonOf, type HealthCheckResult } from "../../domain/health/health.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core, Identity } from "../core.ts";
import { checkHealthSoon } from "../health/check-health.ts";
import { targetOf } from "../health/health-targets.ts";
import type { Runner } from "../ports/runner.ts";
import { namesOfClientKeys } from "./names-of-client-keys.ts";

/**
 * Refuses a role whose model is invalid or whose health check failed. Callers have waited for the
 * list of models; a check that still runs is not awaited.
 */
export function assertAvailable(core: Core, role: Role, runner: Runner, identity: Identity): void {
  const result = availabilityOf(core, role, runner);
  const reason = reasonOf(result);
  if (reason === null) return;
  const isInvalid = result.modelValidation.status === "invalid";
  if (!isInvalid && bringsOwnKeys(core, runner, identity)) return;

  const isAskedAgain = !isRecent(core, result);
  if (isAskedAgain) checkHealthSoon(core, { roleIds: [role.id] });
  throw unavailable(result, reason, isAskedAgain ? CHECKED_AGAIN : hintFor(result));
}

/** For roles of tasks (planner, executor, …): refuses only a model that the CLI does not have. */
export function assertModelValid(core: Core, role: Role, runner: Runner): void {
  const result = availabilityOf(core, role, runner);
  if (result.modelValidation.status === "valid") return;
  throw unavailable(result, reasonOf(result) ?? "", hintForTask(result));
}

const CHECKED_AGAIN: Texts = {
  en: "It is being checked again now: call again in a minute.",
  ja: "今、確認し直しています。1 分ほどしてから、もう一度呼んでください。",
};

function unavailable(result: HealthCheckResult, reason: string, hint: Texts): Refusal {
  return new Refusal("ROLE_UNAVAILABLE", {
    en: [
      `Role ${result.roleId} (${result.runner}, ${result.model}) is not available: ${reason}`,
      hint.en,
    ],
    ja: [
      `職種 ${result.roleId}（${result.runner}、${result.model}）は使えません: ${reasonIn(reason, "ja")}`,
      hint.ja,
    ],
  });
}

export function availabilityOf(core: Core, role: Role, runner: Runner): HealthCheckResult {
  return core.health.judge(targetOf(core, role, runner));
}

/** The health check uses the daemon's keys, so it says nothing about a client with its own keys. */
function bringsOwnKeys(core: Core, runner: Runner, identity: Identity): boolean {
  return namesOfClientKeys(core, runner, Object.keys(identity.keys ?? {})).length > 0;
}

/** An older failure is checked again when the role is used: the CLI may be repaired. */
function isRecent(core: Core, { healthCheck, modelValidation }: HealthCheckResult): boolean {
  const checkedAt = Date.parse(healthCheck.checkedAt ?? modelValidation.checkedAt);
  return isFresh(checkedAt, core.clock.now(), core.settings.healthCheck.cacheTtlMs);
}

/** Health checks do not cover the roles of tasks; a retry reads the models of the CLI again. */
function hintForTask({
  roleId,
  runner,
  modelValidation: { suggestions },
}: HealthCheckResult): Texts {
  const models = suggestions.length > 0 ? ` to one of: ${suggestions.join(", ")}` : "";
  const inJapanese = suggestions.length > 0 ? `（${suggestions.join("、")} のどれか）` : "";
  return {
    en: `Set the model of the role ${roleId} in kuromajutsu.config.yaml${models}, run \`kuromajutsu reload\`, then retry the task. Or update ${runner} so that it has the model, and retry the task after a minute.`,
    ja: `kuromajutsu.config.yaml で職種 ${roleId} のモデル${inJapanese}を指定し、\`kuromajutsu reload\` を実行してから、タスクを再実行してください。または、そのモデルを持つ版に ${runner} を更新し、1 分ほどしてからタスクを再実行してください。`,
  };
}

function hintFor({ roleId, runner, modelValidation: { suggestions } }: HealthCheckResult): Texts {
  const request = `POST /api/health-check {"roleIds":["${roleId}"]}`;
  const others = "Or use another role: list_roles says which are available.";
  const inJapanese = `${request} で確認し直せます。ほかの職種も使えます（list_roles で分かります）。`;
  return suggestions.length > 0
    ? {
        en: `Set the role's model to one of: ${suggestions.join(", ")}; ${request} checks it again. ${others}`,
        ja: `職種のモデルを次のどれかにしてください: ${suggestions.join("、")}。${inJapanese}`,
      }
    : {
        en: `A person can run \`kuromajutsu doctor --runner ${runner}\`, which says how to repair the CLI; then ${request} checks it again. ${others}`,
        ja: `直し方は \`kuromajutsu doctor --runner ${runner}\` で分かります。直したら ${inJapanese}`,
      };
}
