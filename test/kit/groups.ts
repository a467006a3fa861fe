import type { Identity } from "../../src/app/core.ts";
import { createGroup } from "../../src/app/groups/create-group.ts";
import { runAgents } from "../../src/app/groups/run-agents.ts";
import { runMagentic } from "../../src/app/groups/run-magentic.ts";
import type { Group } from "../../src/domain/groups/group.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { started, type TestCore } from "./core.ts";
import { main } from "./running-agent.ts";

export function aConcurrentGroup(
  core: TestCore,
  parentGroupId: string | null = null,
  identity: Identity = main,
): Promise<Group> {
  const input = { description: "試し", mode: "concurrent", parentGroupId } as const;
  return createGroup(core, identity, input);
}

/** Agents of a group; those for which there is room are launched. */
export async function someAgents(core: TestCore, group: Group, count = 1): Promise<AgentId[]> {
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  const agents = Array.from({ length: count }, () => request);
  const inserted = await runAgents(core, main, { groupId: group.id, agents });
  await core.quiet();
  return inserted.map(({ id }) => id);
}

/** A magentic group whose orchestrator runs. The core needs a role `orchestrator`. */
export async function anOrchestratedGroup(core: TestCore) {
  const { group, orchestrator } = await runMagentic(core, main, {
    description: "認証",
    task: "認証を実装する",
    completionCriteria: "テストが通る",
    scope: "src/auth",
    constraints: null,
    context: null,
    availableRoles: null,
    maxIterations: 10,
    timeoutMs: null,
    workingDirectory: null,
  });
  await core.quiet();
  await core.observe(started(orchestrator.id));
  const identity: Identity = { kind: "agent", agentId: orchestrator.id, role: "orchestrator" };
  return { group, identity, orchestratorId: orchestrator.id };
}
