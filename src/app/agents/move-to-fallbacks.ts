import { retryUntilDone } from "../../base/retry-until-done.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { runnerStateOf } from "../../domain/health/runner-problem.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { untilModelsKnown } from "../health/known-models.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { namesOfClientKeys } from "../roles/names-of-client-keys.ts";
import { modelFor, resolveRunner, type ResolvedRunner } from "../roles/resolve-runner.ts";
import { availabilityOf } from "../roles/role-availability.ts";
import { fallbackNote } from "../roles/runner-texts.ts";

/** Runs in the background, then lets the dispatcher start the moved agents. */
export function moveToFallbacksSoon(core: Core): void {
  void retryUntilDone(
    async () => {
      await moveToFallbacks(core);
      core.dispatchSoon();
    },
    (error) =>
      core.log.error("Waiting agents could not be moved to another runner; trying again.", {
        error: String(error),
      }),
  );
}

/**
 * Moves queued agents whose runner is paused or signed out to the next runner of their role. An
 * agent that continues a conversation stays with the runner that has it.
 */
export async function moveToFallbacks(core: Core): Promise<void> {
  const now = core.clock.now();
  const troubled = core.health
    .problems()
    .filter((problem) => runnerStateOf(problem, now) !== "trial")
    .map(({ runner }) => runner);
  if (troubled.length === 0) return;
  const waiting = await core.store.listWaitingOfRunners(troubled);
  const movable = Map.groupBy(
    waiting.filter(({ resumeSession }) => resumeSession === null),
    ({ role }) => role,
  );
  for (const [roleId, agents] of movable) {
    const role = core.roles.get(roleId) ?? core.internalRoles.get(roleId);
    const next = role && (await fallbackOf(core, role));
    if (!next) continue;
    await core.store.transaction(async (unit) => {
      for (const agent of agents) {
        if (agent.runner !== next.runner.id) await move(core, unit, agent, role, next);
      }
    });
  }
}

/** The runner that new agents of the role get, if it can be used at once. */
async function fallbackOf(core: Core, role: Role): Promise<ResolvedRunner | undefined> {
  try {
    const found = await resolveRunner(core, role);
    const problem = core.health.problem(found.runner.id);
    if (runnerStateOf(problem, core.clock.now()) !== "ready") return undefined;
    await untilModelsKnown(core, role, found.runner);
    return availabilityOf(core, role, found.runner).available ? found : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function move(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  role: Role,
  { runner, passedOver }: ResolvedRunner,
): Promise<void> {
  const next = {
    ...agent,
    runner: runner.id,
    model: modelFor(core, role, runner),
    runnerNote: fallbackNote(passedOver, runner.id),
    clientKeys: namesOfClientKeys(core, runner, Object.keys(core.clientKeys.of(agent.id))),
  };
  try {
    await unit.updateAgent(next, agent);
  } catch (error) {
    // It was started or cancelled in the meantime.
    if (error instanceof Refusal && error.code === "VERSION_CONFLICT") return;
    throw error;
  }
  await unit.emit({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: agent.status, runner: next.runner, model: next.model },
    at: core.clock.now(),
  });
}
