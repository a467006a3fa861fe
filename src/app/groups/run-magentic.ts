import type { Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group } from "../../domain/groups/group.ts";
import { renderMagenticTask, type MagenticTask } from "../../domain/groups/magentic-prompt.ts";
import { startMagentic } from "../../domain/groups/magentic.ts";
import { Refusal } from "../../domain/refusal.ts";
import { insertAgents } from "../agents/insert-agents.ts";
import { ORCHESTRATOR, planAgent } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { untrustedHint } from "../people/untrusted.ts";
import { insertGroup } from "./create-group.ts";

export type RunMagentic = Omit<MagenticTask, "availableRoles"> & {
  readonly description: string;
  readonly availableRoles: readonly string[] | null;
  readonly workingDirectory: string | null;
  readonly timeoutMs: number | null;
};

export type MagenticStarted = { readonly group: Group; readonly orchestrator: Agent };

/** Starts an orchestrator for a task; it plans, delegates, evaluates and replans on its own. */
export async function runMagentic(
  core: Core,
  identity: Identity,
  input: RunMagentic,
): Promise<MagenticStarted> {
  const availableRoles = rolesFor(core, input.availableRoles);
  const planned = await planAgent(
    core,
    identity,
    {
      role: ORCHESTRATOR,
      prompt: renderMagenticTask({ ...input, availableRoles }),
      workingDirectory: input.workingDirectory,
      timeoutMs: input.timeoutMs,
    },
    { asOrchestrator: true },
  );
  return core.store.transaction(async (unit) => {
    const created = await insertGroup(core, unit, {
      description: input.description,
      mode: "magentic",
      parentGroupId: null,
      magentic: startMagentic(input.maxIterations, availableRoles),
    });
    const placed = { ...planned, slot: "orchestrator", stageIndex: null, held: false } as const;
    const [orchestrator] = await insertAgents(core, unit, identity, created, [placed]);
    if (!orchestrator) throw new Error("The orchestrator was not inserted.");
    const group = await unit.updateGroup(
      applyToGroup(created, "agents_added", { orchestratorAgentId: orchestrator.id }),
      created,
    );
    return { group, orchestrator };
  });
}

/** An orchestrator never leads another orchestrator. */
function rolesFor(core: Core, asked: readonly string[] | null): readonly string[] {
  const others = [...core.roles.keys()].filter((id) => id !== ORCHESTRATOR);
  if (asked === null) return others;
  if (asked.length === 0) {
    throw new Refusal("ROLE_NOT_FOUND", {
      en: ["availableRoles is empty.", `Leave it out for all of: ${others.join(", ")}.`],
      ja: ["availableRoles が空です。", `省略すると、すべて使えます: ${others.join(", ")}。`],
    });
  }
  const unknown = asked.find((id) => !others.includes(id));
  if (unknown === undefined) return [...new Set(asked)];
  throw new Refusal("ROLE_NOT_FOUND", {
    en: [
      `An orchestrator cannot be given the role "${unknown}".`,
      `Use some of: ${others.join(", ")}.${untrustedHint(core)}`,
    ],
    ja: [
      `オーケストレーターに職種「${unknown}」は使わせられません。`,
      `使える職種: ${others.join(", ")}。${untrustedHint(core, "ja")}`,
    ],
  });
}
