import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { ToolPin } from "../ports/task-store.ts";
import type { UpstreamTool } from "../ports/upstream.ts";
import { definitionOf, isPinned, pinOf } from "./tool-pins.ts";

export type AcceptTool = {
  readonly server: string;
  readonly tool: string;
  /** The hash of the definition that the person saw. */
  readonly hash: string;
};

export type ToolAccepted = {
  readonly server: string;
  readonly tool: string;
  readonly hash: string;
};

/** A person accepts the current definition of a tool, so that agents may use it again. */
export async function acceptTool(
  core: Core,
  identity: Identity,
  { server, tool: name, hash }: AcceptTool,
): Promise<ToolAccepted> {
  const person = requirePerson(identity, "admin");
  const tool = requireTool(core, server, name);
  if (tool.hash !== hash) {
    throw new Refusal("VERSION_CONFLICT", {
      en: [
        `${server}/${name} has changed since you were shown it.`,
        "Look at the definition as it is now, then accept that one.",
      ],
      ja: [
        `${server}/${name} は、表示したあとに変わりました。`,
        "今の定義を確かめてから、受け入れてください。",
      ],
    });
  }
  const pins = await core.pins.read();
  if (isPinned(pins, tool)) return { server, tool: name, hash };

  const at = core.clock.now();
  const definition = definitionOf(tool);
  const pin: ToolPin = { server, tool: name, hash, definition, acceptedBy: person.id, at };
  await core.store.transaction(async (unit) => {
    await unit.putToolPin(pin);
    await recordAudit(core, unit, {
      actor: person.id,
      action: "tool.accepted",
      subject: `${server}/${name}`,
      data: { hash, before: pinOf(pins, tool)?.hash ?? null },
    });
    await unit.emit({
      type: "gateway:tool_accepted",
      groupId: null,
      agentId: null,
      data: { server, tool: name, hash, by: person.id },
      at,
    });
    unit.afterCommit(() => core.pins.put([pin]));
  });
  return { server, tool: name, hash };
}

function requireTool(core: Core, server: string, name: string): UpstreamTool {
  const found = core.upstream.servers().find((each) => each.name === server);
  const tool = found?.tools.find((each) => each.name === name);
  if (tool) return tool;
  throw new Refusal("UNKNOWN_TOOL", {
    en: [
      found ? `${server} has no tool ${name} now.` : `There is no upstream server ${server}.`,
      "The list of upstream servers says which tools there are and which are quarantined.",
    ],
    ja: [
      found
        ? `${server} に今 ${name} というツールはありません。`
        : `上流サーバー ${server} はありません。`,
      "どのツールがあり、どれが隔離中かは、上流サーバーの一覧で確かめられます。",
    ],
  });
}
