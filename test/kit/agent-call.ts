import type { Core, Identity } from "../../src/app/core.ts";
import { LOCAL_USER } from "../../src/app/core.ts";
import { pinTools } from "../../src/app/gateway/pin-tools.ts";
import { createGroup } from "../../src/app/groups/create-group.ts";
import { runAgents } from "../../src/app/groups/run-agents.ts";
import type { JsonObject, UpstreamAnswer } from "../../src/app/ports/upstream.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { aRole, started, type ACore, type TestCore } from "./core.ts";
import { agent, aGateway, call, type CallOver } from "./execution.ts";
import { aFakeUpstream, aTool, type FakeUpstream } from "./fake-upstream.ts";

export const DELETE = "delete_rows";

/** `delete_rows` is always checked; `purge` has a destructive hint; `list` has no hints. */
export const CHECKED_TOOLS = [
  aTool(DELETE, { humanCheck: "always" }),
  aTool("purge", { annotations: { destructiveHint: true } }),
  aTool("list"),
] as const;

export type FreeAgent = {
  readonly core: TestCore;
  readonly upstream: FakeUpstream;
  readonly agentId: AgentId;
  readonly callTool: (name: string, args?: JsonObject, over?: CallOver) => Promise<UpstreamAnswer>;
  /** Without waiting: a call that needs a decision is refused at once. */
  readonly callOnce: (name: string, args?: JsonObject) => Promise<UpstreamAnswer>;
};

export type AFreeAgent = ACore & {
  readonly tools?: Parameters<typeof aFakeUpstream>[0];
  readonly by?: Identity;
};

/** A running agent outside a task, started by `run_agents`. */
export async function aFreeAgent(over: AFreeAgent = {}): Promise<FreeAgent> {
  const upstream = aFakeUpstream(over.tools ?? CHECKED_TOOLS);
  const roles = [aRole({ mcpServers: ["hr"] })];
  const { core } = await aGateway({ roles, ...over, upstream });
  await pinTools(core);
  const agentId = await startAgent(core, over.by ?? LOCAL_USER);
  return { core, upstream, agentId, ...callsOf(core, agentId) };
}

/** One more agent, started by that client. */
export async function startAgent(core: TestCore, by: Identity): Promise<AgentId> {
  const input = { description: "x", mode: "concurrent", parentGroupId: null } as const;
  const group = await createGroup(core, by, input);
  const [created] = await runAgents(core, by, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "やって", workingDirectory: "/", timeoutMs: null }],
  });
  if (!created) throw new Error("one agent was asked for");
  await core.quiet();
  await core.observe(started(created.id));
  return created.id;
}

export function callsOf(core: Core, agentId: AgentId): Pick<FreeAgent, "callTool" | "callOnce"> {
  const identity = agent(agentId, "impl-code");
  return {
    callTool: (name, args = {}, more = {}) => call(core, name, args, { identity, ...more }),
    callOnce: (name, args = {}) => call(core, name, args, { identity, patienceMs: 0 }),
  };
}
