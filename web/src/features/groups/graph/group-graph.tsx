import { lazy, Suspense, useMemo } from "react";
import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import type { WireGroup } from "../../../../../src/contract/shapes/groups.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Loading } from "../../../ui/notes.tsx";
import { useWide } from "../../../ui/use-wide.ts";
import type { GroupDetail } from "../group-data.ts";
import { TEXTS } from "../texts.ts";
import { magenticGraph, MAX_NODES, stageGraph } from "./graph-model.ts";
import { StageList } from "./stage-list.tsx";

const GraphView = lazy(async () => ({ default: (await import("./graph-view.tsx")).GraphView }));

export type GroupGraphProps = {
  readonly group: GroupDetail;
  readonly agents: readonly AgentCard[];
  readonly subgroups: readonly WireGroup[];
  readonly childAgents: readonly AgentCard[];
};

/** The graph of a sequential or magentic group; concurrent groups have none. */
export function GroupGraph({ group, agents, subgroups, childAgents }: GroupGraphProps) {
  const text = useTexts(TEXTS);
  const isWide = useWide();
  const shape = shapeOf(agents, childAgents);
  const graph = useMemo(
    () =>
      group.mode === "sequential"
        ? stageGraph(group, agents)
        : magenticGraph(agents, subgroups, childAgents),
    // Depends on structure and statuses only, not on messages.
    [group.groupId, group.mode, group.stages?.total, subgroups, shape],
  );
  const title = group.mode === "sequential" ? text.graph : text.magenticGraph;
  const isTooMany = graph.nodes.length > MAX_NODES;
  // A wide graph would be unreadable on a phone.
  const isList = isTooMany || !isWide;
  if (group.mode === "concurrent" || graph.nodes.length < 2) return null;
  if (isList && group.mode === "magentic") return null;
  return (
    <section aria-labelledby="graph" className="mb-5">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 id="graph" className="text-[15px] font-bold">
          {title}
        </h2>
        {group.stages && (
          <span className="text-xs text-text-3">{text.onFailure[group.stages.onFailure]}</span>
        )}
      </div>
      {isList ? (
        <>
          {isTooMany && (
            <p className="mb-2 text-xs text-text-3">{text.tooMany(graph.nodes.length)}</p>
          )}
          <StageList total={group.stages?.total ?? 0} agents={agents} />
        </>
      ) : (
        <Suspense fallback={<Loading />}>
          <GraphView graph={graph} />
        </Suspense>
      )}
    </section>
  );
}

function shapeOf(...lists: readonly (readonly AgentCard[])[]): string {
  return lists
    .flat()
    .map(({ agentId, status }) => `${agentId} ${status}`)
    .join("\n");
}
