import type { Identity } from "../../src/app/core.ts";
import { createGroup } from "../../src/app/groups/create-group.ts";
import { runAgents } from "../../src/app/groups/run-agents.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { started, type TestCore } from "./core.ts";

/** A client that is not an agent. */
export const main: Identity = { kind: "client", cwd: "/", keys: {} };

/** A running agent in a group of its own. */
export async function aRunningAgent(core: TestCore): Promise<AgentId> {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, main, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs: null }],
  });
  if (!agent) throw new Error("one agent was asked for");
  await core.quiet();
  await core.observe(started(agent.id));
  return agent.id;
}
