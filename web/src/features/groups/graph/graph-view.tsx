import { graphlib, layout } from "@dagrejs/dagre";
import { Link } from "@tanstack/react-router";
import "@xyflow/react/dist/base.css";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  type NodeTypes,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { useMemo } from "react";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useLive } from "../../../live/store.ts";
import { cx } from "../../../ui/cx.ts";
import { StatusBadge, StatusIcon, TONE_TEXT, toneOf } from "../../../ui/status-badge.tsx";
import { useTheme } from "../../../ui/theme.ts";
import { RoleIcon, useRoleName } from "../../roles/role-icon.tsx";
import { TEXTS } from "../texts.ts";
import type { Graph, GraphNode } from "./graph-model.ts";

const SIZES = {
  agent: { width: 240, height: 58 },
  stage: { width: 88, height: 54 },
  group: { width: 210, height: 56 },
} as const;

type FlowNode = Node<{ readonly node: GraphNode }, "any">;

/** Loaded on demand. */
export function GraphView({ graph }: { readonly graph: Graph }) {
  const { zoom } = useTexts(TEXTS);
  const theme = useTheme();
  const { nodes, edges, height } = useMemo(() => layOut(graph), [graph]);
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface" style={{ height }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={theme}
        fitView
        fitViewOptions={{ padding: 0.06, maxZoom: 1, minZoom: 0.5 }}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        // The wheel scrolls the page instead of zooming.
        zoomOnScroll={false}
        preventScrolling={false}
        ariaLabelConfig={{
          "controls.ariaLabel": zoom.label,
          "controls.zoomIn.ariaLabel": zoom.in,
          "controls.zoomOut.ariaLabel": zoom.out,
          "controls.fitView.ariaLabel": zoom.fit,
        }}
        panOnDrag
        className="!bg-transparent [&_.react-flow\_\_attribution]:!bg-transparent [&_.react-flow\_\_attribution]:!text-text-3"
      >
        <Background color="var(--color-line)" bgColor="transparent" gap={22} />
        <Controls
          showInteractive={false}
          className="!bottom-2 !left-2 overflow-hidden rounded-lg border border-line [&_button]:!size-[26px] [&_button]:!border-line [&_button]:!bg-raised [&_svg]:!fill-current"
        />
      </ReactFlow>
    </div>
  );
}

const LEAST_HEIGHT = 170;
const MAX_HEIGHT = 440;

function layOut({ nodes, edges }: Graph) {
  const plan = new graphlib.Graph();
  plan.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 28 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) plan.setNode(node.id, { ...SIZES[node.kind] });
  for (const { from, to } of edges) plan.setEdge(from, to);
  layout(plan);
  const tall = plan.graph().height ?? 0;
  return {
    height: Math.min(MAX_HEIGHT, Math.max(LEAST_HEIGHT, tall + 48)),
    nodes: nodes.map((node): FlowNode => {
      const { x, y } = plan.node(node.id);
      const { width, height } = SIZES[node.kind];
      return {
        id: node.id,
        type: "any",
        position: { x: x - width / 2, y: y - height / 2 },
        width,
        height,
        data: { node },
      };
    }),
    edges: edges.map(({ from, to, isLive }): Edge => ({
      id: `${from} ${to}`,
      source: from,
      target: to,
      animated: isLive,
      style: { stroke: `var(--color-${isLive ? "running" : "field"})` },
    })),
  };
}

function AnyNode({ data: { node } }: NodeProps<FlowNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} className="!opacity-0" />
      {node.kind === "agent" ? (
        <AgentNode node={node} />
      ) : node.kind === "stage" ? (
        <StageNode node={node} />
      ) : (
        <ChildGroupNode node={node} />
      )}
      <Handle type="source" position={Position.Right} className="!opacity-0" />
    </>
  );
}
const NODE_TYPES: NodeTypes = { any: AnyNode };

const BOX = "flex h-full items-center gap-2.5 rounded-xl border bg-float px-3";

function AgentNode({ node }: { readonly node: Extract<GraphNode, { kind: "agent" }> }) {
  const { agent } = node;
  const name = useRoleName(agent.role);
  const status = useLive(({ agents }) => agents.get(agent.agentId)?.status ?? agent.status);
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId: agent.agentId }}
      className={cx(BOX, "nopan border-line hover:border-violet")}
    >
      <span className={cx("shrink-0", TONE_TEXT[toneOf(status)])}>
        <RoleIcon role={agent.role} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block font-mono text-[10.5px] leading-4 whitespace-nowrap text-text-3">
          {agent.agentId}
        </span>
      </span>
      <StatusIcon status={status} />
    </Link>
  );
}

function StageNode({ node }: { readonly node: Extract<GraphNode, { kind: "stage" }> }) {
  const text = useTexts(TEXTS);
  return (
    <div className="flex h-full flex-col items-center justify-center rounded-xl border border-field bg-base">
      <span className="text-xs font-semibold whitespace-nowrap">{text.stage(node.index + 1)}</span>
      <span className="flex items-center gap-1.5 font-mono text-xs text-text-2">
        {node.note}
        <StatusIcon status={node.status} />
      </span>
    </div>
  );
}

function ChildGroupNode({ node }: { readonly node: Extract<GraphNode, { kind: "group" }> }) {
  const { groupMode } = useTexts(COMMON);
  return (
    <Link
      to="/groups/$groupId"
      params={{ groupId: node.group.groupId }}
      className={cx(BOX, "nopan border-field hover:border-violet")}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{node.group.description}</span>
        <span className="block text-xs text-text-3">{groupMode[node.group.mode]}</span>
      </span>
      <StatusBadge status="queued" label={node.note} />
    </Link>
  );
}
