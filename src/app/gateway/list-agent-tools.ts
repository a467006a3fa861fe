import {
  catalogueTools,
  findTool,
  fitDefinitions,
  isAllowed,
  MAX_DEFINITION_CHARS,
  nameTools,
  pathOf,
  type CallableTool,
} from "../../domain/gateway/catalogue.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CatalogueTool } from "../../domain/tasks/drafting.ts";
import { nearestFew } from "../../domain/text/nearest.ts";
import type { Core } from "../core.ts";
import { untrustedHint } from "../people/untrusted.ts";
import type { Upstream, UpstreamServer, UpstreamTool } from "../ports/upstream.ts";
import { pinTools } from "./pin-tools.ts";
import { isPinned, isQuarantined, type Pins, type ToolPins } from "./tool-pins.ts";

/** A tool of an upstream server and its name in tools/list. */
export type AgentTool = CallableTool<UpstreamTool>;

/** How long a catalogue waits for servers that are still starting. */
const SETTLE_MS = 10_000;
/** How long the first listing waits for starting servers: many clients list tools only once. */
const FIRST_LIST_MS = 3_000;

/** The upstream tools that agents of a role may use, in the order of the configuration. */
export async function agentTools(core: Core, roleId: string): Promise<readonly AgentTool[]> {
  return (await toolsFor(core, roleId)).kept;
}

/** Finds the tool that an agent calls by this name, or refuses with the reason. */
export async function resolveAgentTool(
  core: Core,
  roleId: string,
  name: string,
): Promise<AgentTool> {
  const { named, kept, pins } = await toolsFor(core, roleId);
  const found = findTool(named, name);
  if (found && kept.includes(found)) return found;
  if (found && isQuarantined(pins, found.tool)) {
    throw new Refusal("TOOL_QUARANTINED", {
      en: [
        `${found.call} has changed since it was accepted, and no person has accepted the change yet.`,
        "Go on without it, or say in your report that a person must accept it in the dashboard.",
      ],
      ja: [
        `${found.call} は受け入れたあとに変わり、まだ誰も変更を受け入れていません。`,
        "これなしで続けるか、ダッシュボードで受け入れが必要だと報告に書いてください。",
      ],
    });
  }
  throw unknownTool(core, name, kept);
}

export function unknownTool(core: Core, name: string, tools: readonly AgentTool[]): Refusal {
  const near = nearestFew(
    name,
    tools.map(({ call }) => call),
    3,
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "";
  return new Refusal("UNKNOWN_TOOL", {
    en: [
      `There is no tool ${name} for you.`,
      `${hint} Call tools/list to see what there is.${untrustedHint(core)}`.trim(),
    ],
    ja: [
      `あなたが使えるツールに ${name} はありません。`,
      `${near.length > 0 ? `もしかして: ${near.join("、")}。` : ""}使えるものは tools/list で確かめられます。${untrustedHint(core, "ja")}`,
    ],
  });
}

/** The tools that steps may name. Waits for servers that are starting. */
export async function taskCatalogue(core: Core): Promise<readonly CatalogueTool[]> {
  await core.upstream.settled(SETTLE_MS);
  await pinTools(core);
  const tools = await agentTools(core, "executor");
  return catalogueTools(
    tools.map(({ tool }) => tool),
    [...core.roles.values()].filter(({ id }) => id !== "orchestrator"),
  );
}

type ToolsOfRole = {
  readonly pins: Pins;
  /** All tools that the role's list allows, including quarantined ones. */
  readonly named: readonly AgentTool[];
  readonly kept: readonly AgentTool[];
};

/** Cache, because every call needs it; keyed by servers, pins and the role's list. */
const known = new WeakMap<readonly UpstreamServer[], WeakMap<Pins, Map<string, ToolsOfRole>>>();

async function toolsFor(core: Core, roleId: string): Promise<ToolsOfRole> {
  const allowed = allowListOf(core, roleId);
  if (allowed.length === 0) return { pins: new Map(), named: [], kept: [] };
  await listedOnce(core);
  const pins = await core.pins.read();
  const servers = core.upstream.servers();
  const bySet = known.get(servers) ?? new WeakMap<Pins, Map<string, ToolsOfRole>>();
  known.set(servers, bySet);
  const byList = bySet.get(pins) ?? new Map<string, ToolsOfRole>();
  bySet.set(pins, byList);

  const key = JSON.stringify(allowed);
  const found = byList.get(key);
  if (found) return found;
  const made = chooseTools(core, { roleId, servers, pins, allowed });
  byList.set(key, made);
  return made;
}

const firstLists = new WeakMap<ToolPins, WeakMap<Upstream, Promise<void>>>();

function listedOnce(core: Core): Promise<void> {
  const lists = firstLists.get(core.pins) ?? new WeakMap<Upstream, Promise<void>>();
  firstLists.set(core.pins, lists);
  const first = lists.get(core.upstream);
  if (first) return first;
  const listed = core.upstream.settled(FIRST_LIST_MS).then(async () => void (await pinTools(core)));
  lists.set(core.upstream, listed);
  listed.catch(() => lists.delete(core.upstream));
  return listed;
}

function chooseTools(
  core: Pick<Core, "log">,
  from: {
    readonly roleId: string;
    readonly servers: readonly UpstreamServer[];
    readonly pins: Pins;
    readonly allowed: readonly string[];
  },
): ToolsOfRole {
  const { roleId, pins, allowed } = from;
  const named = nameTools(
    from.servers.flatMap(({ tools }) => tools).filter((tool) => isAllowed(allowed, tool)),
  );
  const pinned = named.filter(({ tool }) => isPinned(pins, tool));
  const { kept, left } = fitDefinitions(pinned, MAX_DEFINITION_CHARS);
  if (left.length > 0) {
    core.log.warn("A role's upstream tools are too many for one conversation; some are left out.", {
      role: roleId,
      left: left.map(({ tool }) => pathOf(tool)),
      hint: "Name the ones it needs in the role's mcpServers.",
    });
  }
  return { pins, named, kept };
}

function allowListOf(core: Core, roleId: string): readonly string[] {
  const role = core.roles.get(roleId) ?? core.internalRoles.get(roleId);
  return role?.mcpServers ?? (roleId === "executor" ? ["*"] : []);
}
