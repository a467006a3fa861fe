import { reasonOf } from "../../domain/health/health.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { missingTarget } from "../health/health-targets.ts";
import { isBeingChecked } from "../health/known-models.ts";
import { resolveRunner } from "./resolve-runner.ts";
import { availabilityOf } from "./role-availability.ts";
import { pauseSentence, roleNote } from "./runner-texts.ts";

export type RoleView = {
  readonly role: Role;
  readonly model: string;
  readonly runner: string;
  readonly available: boolean;
  readonly reason: string | null;
  /** The CLI has not listed its models yet; an agent with this role waits for the list. */
  readonly checking: boolean;
  /** Why agents wait, or why they run with a fallback; null: neither. */
  readonly note: string | null;
};

/** Every role with the model and runner it would use now, and whether it can be used at all. */
export async function listRoles(core: Core): Promise<readonly RoleView[]> {
  return Promise.all([...core.roles.values()].map((role) => viewOf(core, role)));
}

async function viewOf(core: Core, role: Role): Promise<RoleView> {
  try {
    const { runner, passedOver } = await resolveRunner(core, role);
    const result = availabilityOf(core, role, runner);
    return {
      role,
      model: result.model,
      runner: runner.id,
      available: result.available,
      reason: reasonOf(result),
      checking: isBeingChecked(core, runner),
      note: pauseSentence(core, runner.id) ?? roleNote(passedOver, runner.id),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { model, runner } = missingTarget(core, role, error.message);
    return {
      role,
      model,
      runner,
      available: false,
      reason: error.message,
      checking: false,
      note: null,
    };
  }
}
