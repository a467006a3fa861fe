import type { CatalogueTool } from "../tasks/drafting.ts";
import { ROLE_CALL_PREFIX, roleRef } from "./role-call.ts";

export type ServedTool = { readonly server: string; readonly name: string };

export type DescribedTool = ServedTool &
  Pick<CatalogueTool, "title" | "description" | "inputSchema" | "outputSchema" | "annotations">;

/** A tool and the name that agents call it by. */
export type CallableTool<Tool extends ServedTool> = { readonly call: string; readonly tool: Tool };

/** Names of our own tools; no upstream tool may take one of them. */
export const OWN_TOOLS: ReadonlySet<string> = new Set([
  "get_changes",
  "create_group",
  "delete_group",
  "run_agents",
  "run_sequential",
  "run_magentic",
  "list_agents",
  "get_agent_status",
  "wait_agent",
  "report_result",
  "list_roles",
  "cancel_agent",
  "send_message",
  "get_notifications",
  "update_ledger",
  "create_task",
  "get_task",
  "list_tasks",
  "change_task",
  "report_completed",
  "report_progress",
  "ask_human",
  "list_approvals",
  "decide_approval",
]);

/**
 * Models accept names of at most 64 characters, and clients put up to 18 in front of ours
 * (`mcp__kuromajutsu__`).
 */
const MAX_NAME_CHARS = 46;
/** The limit for the definitions that one role loads into every conversation of its agents. */
export const MAX_DEFINITION_CHARS = 256 * 1024;

/** Whether an allow-list of `server`, `server/tool` and `*` contains this tool. */
export function isAllowed(list: readonly string[], { server, name }: ServedTool): boolean {
  return list.some((entry) => entry === "*" || entry === server || entry === `${server}/${name}`);
}

/**
 * The name of each tool: its own, unless one of our tools or another server has that name too.
 * Quarantined tools must be included, so that another server cannot take over their names.
 */
export function nameTools<Tool extends ServedTool>(
  tools: readonly Tool[],
): readonly CallableTool<Tool>[] {
  const wishes = new Map<string, number>();
  for (const { name } of tools) wishes.set(tidyName(name), (wishes.get(tidyName(name)) ?? 0) + 1);
  const prefixes = [...new Set(tools.map(({ server }) => `${server}__`))];
  const isFree = (name: string): boolean =>
    wishes.get(name) === 1 &&
    !isOurs(name) &&
    // Otherwise one server could take the prefixed name of another server's tool.
    !prefixes.some((prefix) => name.startsWith(prefix));

  const taken = new Set(tools.map(({ name }) => tidyName(name)).filter(isFree));
  return tools.map((tool) => {
    const plain = tidyName(tool.name);
    if (isFree(plain)) return { call: plain, tool };
    const call = untaken(`${tool.server}__${tool.name}`, taken);
    taken.add(call);
    return { call, tool };
  });
}

/** Finds a tool by its name in tools/list; `server__tool` and `server/tool` always work too. */
export function findTool<Tool extends ServedTool>(
  named: readonly CallableTool<Tool>[],
  name: string,
): CallableTool<Tool> | undefined {
  return (
    named.find(({ call }) => call === name) ??
    named.find(({ tool }) => name === `${tool.server}__${tool.name}` || name === pathOf(tool))
  );
}

/** `server/tool`, as in steps and allow-lists. */
export function pathOf({ server, name }: ServedTool): string {
  return `${server}/${name}`;
}

/**
 * As many tools, in order, as fit; the others are returned too, so that the caller can report them.
 */
export function fitDefinitions<Tool extends DescribedTool>(
  tools: readonly CallableTool<Tool>[],
  maxChars: number,
): { readonly kept: readonly CallableTool<Tool>[]; readonly left: readonly CallableTool<Tool>[] } {
  const kept: CallableTool<Tool>[] = [];
  const left: CallableTool<Tool>[] = [];
  let total = 0;
  for (const each of tools) {
    const size = sizeOf(each.tool);
    const fits = total + size <= maxChars;
    if (fits) total += size;
    (fits ? kept : left).push(each);
  }
  return { kept, left };
}

export type AgentRole = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
};

/** The tools that the steps of a process may name: upstream tools, and agents of the roles. */
export function catalogueTools(
  tools: readonly DescribedTool[],
  roles: readonly AgentRole[],
): readonly CatalogueTool[] {
  return [...tools.map(upstreamEntry), ...roles.map(agentEntry)];
}

function upstreamEntry(tool: DescribedTool): CatalogueTool {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  return { tool: pathOf(tool), title, description, inputSchema, outputSchema, annotations };
}

function agentEntry({ id, name, description }: AgentRole): CatalogueTool {
  return {
    tool: roleRef(id).tool,
    title: name,
    description,
    inputSchema: AGENT_TOOL_INPUT,
    outputSchema: null,
    annotations: null,
  };
}

export const AGENT_TOOL_INPUT = {
  type: "object",
  properties: {
    prompt: { type: "string", description: "What this agent is to do." },
    workingDirectory: { type: "string", description: "Left out: where the executor works." },
  },
  required: ["prompt"],
  additionalProperties: false,
} as const;

function isOurs(name: string): boolean {
  return OWN_TOOLS.has(name) || name.startsWith(ROLE_CALL_PREFIX);
}

function sizeOf({ description, inputSchema, outputSchema }: DescribedTool): number {
  return description.length + JSON.stringify([inputSchema, outputSchema]).length;
}

function tidyName(name: string): string {
  const tidy = name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return tidy === name && name.length <= MAX_NAME_CHARS ? name : marked(tidy, name);
}

function untaken(name: string, taken: ReadonlySet<string>): string {
  let candidate = tidyName(name);
  for (let salt = 0; taken.has(candidate); salt++) candidate = marked(candidate, `${name} ${salt}`);
  return candidate;
}

/** Truncated, with a suffix that depends on the whole name. */
function marked(tidy: string, whole: string): string {
  return `${tidy.slice(0, MAX_NAME_CHARS - 9)}_${fingerprint(whole)}`;
}

/** FNV-1a: enough to distinguish names; not a cryptographic hash. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
