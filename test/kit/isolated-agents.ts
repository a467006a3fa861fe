import { expect, vi } from "vitest";
import type { AgentRequest } from "../../src/app/agents/plan-agent.ts";
import { LOCAL_USER } from "../../src/app/core.ts";
import { createGroup } from "../../src/app/groups/create-group.ts";
import { runAgents } from "../../src/app/groups/run-agents.ts";
import type { Agent } from "../../src/domain/agents/agent.ts";
import type { Workspace } from "../../src/domain/workspaces/workspace.ts";
import { ended, started, type TestCore } from "./core.ts";
import type { TestRepository } from "./repository.ts";

/** Agents that get worktrees of their own, with their workspaces. */
export type IsolatedAgent = { readonly agent: Agent; readonly workspace: Workspace };

/** Starts one agent per request, and waits until all of them are at work in their worktrees. */
export async function isolatedAgents(
  core: TestCore,
  { root }: TestRepository,
  ...requests: readonly Partial<AgentRequest>[]
): Promise<readonly IsolatedAgent[]> {
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const agents = await runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: requests.map((request) => ({
      role: "impl-code",
      prompt: "やって",
      workingDirectory: root,
      timeoutMs: null,
      isolation: "worktree",
      ...request,
    })),
  });
  await launched(core, agents);
  const found: IsolatedAgent[] = [];
  for (const agent of agents) found.push({ agent, workspace: await workspaceOf(core, agent) });
  return found;
}

/** Exactly one agent in a worktree of its own. */
export async function anIsolatedAgent(
  core: TestCore,
  repository: TestRepository,
  request: Partial<AgentRequest> = {},
): Promise<IsolatedAgent> {
  const [one] = await isolatedAgents(core, repository, request);
  if (!one) throw new Error("No agent was started.");
  return one;
}

export async function workspaceOf(
  core: TestCore,
  { workspaceId }: Pick<Agent, "workspaceId">,
): Promise<Workspace> {
  const found = await core.store.getWorkspace(workspaceId ?? "");
  if (!found) throw new Error("The agent has no workspace.");
  return found;
}

/** Waits until the agents have been launched this often, and reports that their processes started. */
export async function launched(
  core: TestCore,
  agents: readonly Pick<Agent, "id">[],
  attempt = 1,
): Promise<void> {
  await vi.waitFor(() => {
    for (const { id } of agents) {
      expect(core.launches.filter(({ agentId }) => agentId === id)).toHaveLength(attempt);
    }
  }, 30_000);
  await core.observe(...agents.map(({ id }) => started(id, attempt)));
}

/** Reports that the processes have ended, and waits until their changes are captured. */
export async function settled(
  core: TestCore,
  ...agents: readonly Pick<Agent, "id">[]
): Promise<void> {
  for (const { id } of agents) {
    const attempt = (await core.store.getAgent(id))?.attempt ?? 1;
    await core.observe(ended(id, { attempt }));
  }
  await vi.waitFor(async () => {
    for (const { id } of agents) {
      expect(await core.store.getAgent(id)).toMatchObject({ process: "ended" });
    }
  }, 30_000);
}
