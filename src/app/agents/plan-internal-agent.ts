import { Refusal } from "../../domain/refusal.ts";
import type { InternalRole } from "../../domain/roles/internal-role.ts";
import type { Task } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import { askAgainIfInvalid, untilModelsKnown } from "../health/known-models.ts";
import { resolveRunner } from "../roles/resolve-runner.ts";
import { assertModelValid } from "../roles/role-availability.ts";
import { fallbackNote } from "../roles/runner-texts.ts";
import { mayExist } from "../workers/connected-workers.ts";
import type { PlannedAgent } from "./plan-agent.ts";
import { requireLabels } from "./require-labels.ts";

/**
 * Plans an agent that drafts or executes a task. A failed health check does not refuse it: the CLI's
 * own error says more, and a retry works as soon as the CLI is repaired. A model that the CLI does
 * not have is refused.
 */
export async function planInternalAgent(
  core: Core,
  task: Pick<Task, "workingDirectory">,
  roleId: InternalRole,
  input: { readonly prompt: string; readonly timeoutMs: number | null },
): Promise<PlannedAgent> {
  const role = core.internalRoles.get(roleId);
  if (!role) {
    throw new Refusal("ROLE_NOT_FOUND", {
      en: [
        `The role ${roleId} is disabled in the configuration, so no agent can do this.`,
        `Take \`disabled\` out of the role ${roleId} in kuromajutsu.config.yaml, run \`kuromajutsu reload\`, then retry the task.`,
      ],
      ja: [
        `職種 ${roleId} は設定で無効になっているため、この作業をするエージェントがありません。`,
        `kuromajutsu.config.yaml の職種 ${roleId} から \`disabled\` を外し、\`kuromajutsu reload\` を実行してから、タスクを再実行してください。`,
      ],
    });
  }
  requireLabels(core, role, {});
  const { runner, passedOver } = await resolveRunner(core, role);
  await untilModelsKnown(core, role, runner);
  await askAgainIfInvalid(core, role, runner);
  assertModelValid(core, role, runner);
  const { workingDirectory } = task;
  if (!(await mayExist(core, workingDirectory))) {
    throw new Refusal("WORKING_DIRECTORY_NOT_FOUND", {
      en: [
        `The working directory ${workingDirectory} of the task does not exist any more.`,
        "Put it back, then retry the task.",
      ],
      ja: [
        `タスクの作業ディレクトリ ${workingDirectory} がなくなりました。`,
        "元に戻してから、タスクを再実行してください。",
      ],
    });
  }
  const request = { role: roleId, workingDirectory, ...input };
  return { request, role, runner, note: fallbackNote(passedOver, runner.id), workingDirectory };
}

/** Agents of a task are started with the keys that its requester's client sent. */
export async function identityOf(
  core: Pick<Core, "clientKeys" | "store">,
  task: Task,
): Promise<Identity> {
  // The client of the current change may have sent keys, which are put into memory after the commit.
  await core.store.afterCommitted();
  return { kind: "client", cwd: task.workingDirectory, keys: core.clientKeys.of(task.id) };
}

const AGENT_PRIORITY = { low: -1, medium: 0, high: 1 } as const;

/** Waiting agents start by priority, then by age. */
export function agentPriorityOf({ priority }: Pick<Task, "priority">): number {
  return AGENT_PRIORITY[priority];
}
