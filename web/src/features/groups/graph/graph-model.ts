import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import { stagesOf } from "../../../live/stages.ts";
import type { GroupDetail } from "../group-data.ts";

/** Larger graphs are shown as a list. */
export const MAX_NODES = 200;

export type GraphNode =
  | { readonly kind: "agent"; readonly id: string; readonly agent: AgentCard }
  | {
      readonly kind: "stage";
      readonly id: string;
      readonly index: number;
      readonly status: AgentCard["status"];
      readonly note: string;
    }
  | {
      readonly kind: "group";
      readonly id: string;
      readonly group: WireGroup;
      readonly note: string;
    };

export type Graph = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly isLive: boolean;
  }[];
};

type Edge = Graph["edges"][number];

/** A stage starts when all agents of the previous one have ended. */
export function stageGraph(group: GroupDetail, agents: readonly AgentCard[]): Graph {
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const stages = stagesOf([...byId.keys()], group.stages?.total ?? 0, byId);
  const nodes: GraphNode[] = [];
  const edges: Edge[] = [];
  stages.forEach((stage) => {
    const id = `stage ${stage.index}`;
    nodes.push({
      kind: "stage",
      id,
      index: stage.index,
      status: stage.status,
      note: `${stage.done}/${stage.total}`,
    });
    for (const agent of stages[stage.index - 1]?.agents ?? []) {
      edges.push({ from: agent.agentId, to: id, isLive: agent.status === "running" });
    }
    for (const agent of stage.agents) {
      nodes.push({ kind: "agent", id: agent.agentId, agent });
      edges.push({ from: id, to: agent.agentId, isLive: agent.status === "running" });
    }
  });
  return { nodes, edges };
}

/** The orchestrator, its groups and their agents. */
export function magenticGraph(
  agents: readonly AgentCard[],
  children: readonly WireGroup[],
  childAgents: readonly AgentCard[],
): Graph {
  const nodes: GraphNode[] = agents.map((agent) => ({ kind: "agent", id: agent.agentId, agent }));
  const edges: Edge[] = [];
  for (const group of children) {
    const members = childAgents.filter(({ groupId }) => groupId === group.groupId);
    const done = members.filter(({ status }) => status !== "queued" && status !== "running").length;
    nodes.push({ kind: "group", id: group.groupId, group, note: `${done}/${members.length}` });
    for (const { agentId } of agents) {
      edges.push({ from: agentId, to: group.groupId, isLive: done < members.length });
    }
    for (const agent of members) {
      nodes.push({ kind: "agent", id: agent.agentId, agent });
      edges.push({ from: group.groupId, to: agent.agentId, isLive: agent.status === "running" });
    }
  }
  return { nodes, edges };
}
