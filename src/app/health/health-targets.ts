import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { pairKey, type Target } from "../../domain/health/health.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import type { Runner } from "../ports/runner.ts";
import {
  candidatesFor,
  findRunner,
  modelFor,
  resolveRunner,
  wantedRunner,
  type FoundRunner,
} from "../roles/resolve-runner.ts";

/** A role, what it would run with, and whether it was requested or only shares the check. */
export type Candidate = {
  readonly role: Role;
  readonly target: Target;
  readonly found: FoundRunner | undefined;
  readonly isWanted: boolean;
};

/** The named roles and those with the same model and access, because one check applies to all. */
export async function findCandidates(
  core: Core,
  roleIds: readonly string[] | null,
): Promise<readonly Candidate[]> {
  const all = await Promise.all(
    [...core.roles.values()].map(async (role) => ({
      ...(await findCandidate(core, role)),
      isWanted: roleIds === null || roleIds.includes(role.id),
    })),
  );
  const wanted = new Set(
    all.filter(({ isWanted }) => isWanted).map(({ target }) => pairKey(target)),
  );
  return all.filter(({ target }) => wanted.has(pairKey(target)));
}

export async function findCandidate(core: Core, role: Role): Promise<Candidate> {
  try {
    const { runner } = await resolveRunner(core, role);
    // A CLI that only workers have is not asked.
    const found = await findRunner(core, runner.id);
    return { role, target: targetOf(core, role, runner), found, isWanted: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      role,
      target: missingTarget(core, role, error.message),
      found: undefined,
      isWanted: true,
    };
  }
}

export function targetOf(
  core: Pick<Core, "settings">,
  role: Role,
  runner: Pick<Runner, "id" | "defaultModel" | "takesOtherModels">,
): Target {
  return {
    roleId: role.id,
    runner: runner.id,
    model: modelFor(core, role, runner),
    access: role.access,
    defaultModel: runner.defaultModel,
    takesOtherModels: runner.takesOtherModels ?? false,
    missing: null,
  };
}

/** What a role would run with if its CLI were installed. */
export function missingTarget(core: Core, role: Role, missing: string): Target {
  // No CLI was found and rehearsal is turned off: report the first CLI as missing.
  const [id = RUNNER_IDS[0]] = candidatesFor(core, wantedRunner(core, role));
  return { ...targetOf(core, role, core.runners.get(id) ?? { id, defaultModel: null }), missing };
}
