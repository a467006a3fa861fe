import type { CatalogueTool } from "../../domain/tasks/drafting.ts";
import { inputsOf, isFromResults, type Input } from "./fill.ts";
import { isOffered } from "./offers.ts";
import { withoutRefs, type Schema } from "./schema.ts";
import type { TextFacts } from "./text-facts.ts";

/** A tool as the data flow sees it: its inputs, its output, whether it is read-only. */
type Node = {
  readonly tool: CatalogueTool;
  readonly output: Schema | null;
  readonly inputs: readonly Input[];
  readonly isReader: boolean;
};

/** The tools that could supply an argument, in the order of the catalogue. */
type Supply = ReadonlyMap<Input, readonly Node[]>;

/** A tool and the tools that supply its arguments. */
type Link = { readonly node: Node; readonly depth: number; readonly producers: readonly Node[] };

/**
 * The longest chain of tools in which each one gets data from an earlier one and which ends with
 * tools that write, plus everything those need; if no chain writes, the longest that reads; if
 * nothing connects, the one tool that fits the text best. Only names, schemas, order and hints
 * count, never the meaning of a word. docs/rehearsal.md has the rules.
 */
export function planChain(
  catalogue: readonly CatalogueTool[],
  facts: TextFacts,
): readonly CatalogueTool[] {
  const nodes = catalogue.map((tool) => toNode(tool, facts));
  const supply = supplyOf(nodes);
  const links = linked(inOrder(nodes, supply), supply);
  const goals = goalsOf(links);
  const kept = goals.length > 0 ? ancestors(goals, links) : bestAlone(links);
  return links.filter(({ node }) => kept.has(node)).map(({ node }) => node.tool);
}

export function isReader({ annotations }: CatalogueTool): boolean {
  return annotations?.readOnlyHint === true;
}

function toNode(tool: CatalogueTool, facts: TextFacts): Node {
  return {
    tool,
    output: withoutRefs(tool.outputSchema),
    inputs: inputsOf(withoutRefs(tool.inputSchema), facts),
    isReader: isReader(tool),
  };
}

function supplyOf(nodes: readonly Node[]): Supply {
  return new Map(
    nodes.flatMap((node) =>
      node.inputs.filter(isFromResults).map((input) => {
        const able = nodes.filter(
          (other) =>
            other !== node &&
            // A tool that writes is not called only to fill an optional argument.
            (input.isRequired || other.isReader) &&
            isOffered(other.output, input),
        );
        return [input, able] as const;
      }),
    ),
  );
}

/**
 * Each tool after its suppliers; a tool that can never be filled is left out. In a circle the tool
 * that needs the least from the others comes first; ties by the order of the catalogue.
 */
function inOrder(nodes: readonly Node[], supply: Supply): readonly Node[] {
  const able = reachable(nodes, supply);
  const placed = new Set<Node>();
  const missing = ({ inputs }: Node) => {
    const suppliers = inputs.flatMap((input) => supply.get(input) ?? []);
    return new Set(suppliers.filter((node) => able.has(node) && !placed.has(node))).size;
  };
  while (placed.size < able.size) {
    const next = [...able]
      .filter((node) => !placed.has(node) && canRun(node, placed, supply))
      .map((node) => ({ node, missing: missing(node) }))
      .reduce((best, one) => (one.missing < best.missing ? one : best));
    placed.add(next.node);
  }
  return [...placed];
}

/** The tools whose required arguments can all be filled, by the text or by another such tool. */
function reachable(nodes: readonly Node[], supply: Supply): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const node of nodes) {
      if (canRun(node, found, supply)) found.add(node);
    }
  }
  // Restores the order of the catalogue.
  return new Set(nodes.filter((node) => found.has(node)));
}

function canRun({ inputs }: Node, earlier: ReadonlySet<Node>, supply: Supply): boolean {
  return inputs
    .filter(({ isRequired }) => isRequired)
    .every(
      (input) =>
        (input.sure ?? input.weak) !== undefined ||
        supply.get(input)?.some((node) => earlier.has(node)),
    );
}

/**
 * If several tools supply the same data, takes the one at the end of the longest chain; ties by
 * order.
 */
function linked(ordered: readonly Node[], supply: Supply): readonly Link[] {
  const links = new Map<Node, Link>();
  const depthOf = (node: Node) => links.get(node)?.depth ?? 0;
  for (const node of ordered) {
    const producers = node.inputs.flatMap((input) => {
      const able = supply.get(input)?.filter((supplier) => links.has(supplier)) ?? [];
      const [deepest] = able.sort((a, b) => depthOf(b) - depthOf(a));
      return deepest ? [deepest] : [];
    });
    links.set(node, { node, producers, depth: 1 + Math.max(0, ...producers.map(depthOf)) });
  }
  return [...links.values()];
}

function goalsOf(links: readonly Link[]): readonly Link[] {
  const chained = links.filter(({ depth }) => depth > 1);
  const writers = chained.filter(({ node }) => !node.isReader);
  const able = writers.length > 0 ? writers : chained;
  const longest = Math.max(0, ...able.map(({ depth }) => depth));
  return able.filter(({ depth }) => depth === longest);
}

function ancestors(goals: readonly Link[], links: readonly Link[]): ReadonlySet<Node> {
  const kept = new Set(goals.map(({ node }) => node));
  // Suppliers are always earlier, so one pass from the end finds all of them.
  for (const { node, producers } of links.toReversed()) {
    if (kept.has(node)) for (const producer of producers) kept.add(producer);
  }
  return kept;
}

/** The tool with the most arguments in the text; a read-only one among equals. */
function bestAlone(links: readonly Link[]): ReadonlySet<Node> {
  const sure = ({ inputs }: Node) => inputs.filter((input) => input.sure !== undefined).length;
  const [best] = links
    .map(({ node }) => node)
    .sort((a, b) => sure(b) - sure(a) || Number(b.isReader) - Number(a.isReader));
  return new Set(best ? [best] : []);
}
