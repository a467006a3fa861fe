import { isCheckedOutsideTask, type HumanCheck } from "../../domain/gateway/human-check.ts";
import type { Core } from "../core.ts";
import type { ToolPin } from "../ports/task-store.ts";
import type { UpstreamServer, UpstreamTool } from "../ports/upstream.ts";
import { definitionOf, isQuarantined, pinOf, type Pins } from "./tool-pins.ts";

export type GatewayToolView = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly isReadOnly: boolean;
  readonly humanCheck: HumanCheck;
  /** Calls of agents outside a task need a human check. */
  readonly isCheckedOutsideTask: boolean;
  readonly hash: string;
  readonly definition: ToolPin["definition"];
  /** Not usable until a person accepts the change. */
  readonly isQuarantined: boolean;
  /** The accepted definition, with person and time; null: not pinned yet. */
  readonly accepted: Pick<ToolPin, "hash" | "definition" | "acceptedBy" | "at"> | null;
};

export type GatewayServerView = Omit<UpstreamServer, "tools"> & {
  readonly tools: readonly GatewayToolView[];
};

/** The upstream servers for the dashboard. */
export async function viewGateway(
  core: Pick<Core, "upstream" | "pins">,
): Promise<readonly GatewayServerView[]> {
  const pins = await core.pins.read();
  return core.upstream
    .servers()
    .map((server) => ({ ...server, tools: server.tools.map((tool) => viewTool(pins, tool)) }));
}

function viewTool(pins: Pins, tool: UpstreamTool): GatewayToolView {
  const { name, title, description, isReadOnly, humanCheck, hash } = tool;
  return {
    name,
    title,
    description,
    isReadOnly,
    humanCheck,
    isCheckedOutsideTask: isCheckedOutsideTask(tool),
    hash,
    definition: definitionOf(tool),
    isQuarantined: isQuarantined(pins, tool),
    accepted: acceptedOf(pinOf(pins, tool)),
  };
}

function acceptedOf(pin: ToolPin | undefined): GatewayToolView["accepted"] {
  if (!pin) return null;
  const { hash, definition, acceptedBy, at } = pin;
  return { hash, definition, acceptedBy, at };
}
