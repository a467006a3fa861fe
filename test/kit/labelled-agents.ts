import { expect, vi } from "vitest";
import type { AgentRequest } from "../../src/app/agents/plan-agent.ts";
import { explainWaiting } from "../../src/app/agents/waiting-for.ts";
import { createGroup } from "../../src/app/groups/create-group.ts";
import { runAgents } from "../../src/app/groups/run-agents.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import type { TestCore } from "./core.ts";
import { main } from "./running-agent.ts";

/** Queues one agent per list of labels. */
export async function withLabels(
  core: TestCore,
  labels: readonly (readonly string[])[],
  over: Partial<AgentRequest> = {},
): Promise<readonly AgentId[]> {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const one = { role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs: null };
  const agents = await runAgents(core, main, {
    groupId: group.id,
    agents: labels.map((each) => ({ ...one, ...over, labels: each })),
  });
  return agents.map(({ id }) => id);
}

export const launchedIds = ({ launches }: Pick<TestCore, "launches">): readonly AgentId[] =>
  launches.map(({ agentId }) => agentId);

/** The launched agents, once there are this many and the dispatcher has had time for more. */
export async function launchesOf(core: TestCore, count: number): Promise<readonly AgentId[]> {
  await vi.waitFor(() => expect(launchedIds(core).length).toBeGreaterThanOrEqual(count), 10_000);
  for (let round = 0; round < 5; round++) await core.quiet();
  return launchedIds(core);
}

export async function reasonOf(core: TestCore, id: AgentId): Promise<string | undefined> {
  const agent = await core.store.getAgent(id);
  if (!agent) throw new Error(`${id} was asked for`);
  return (await explainWaiting(core, [agent]))(agent).waitingFor;
}
