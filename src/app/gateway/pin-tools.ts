import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { ToolPin } from "../ports/task-store.ts";
import type { UpstreamTool } from "../ports/upstream.ts";
import { definitionOf, isPinned, isQuarantined, pinOf, type Pins } from "./tool-pins.ts";

type Gateway = Pick<Core, "clock" | "store" | "pins" | "upstream">;

/** Trust on first use: new tools are pinned as they are; changed ones keep the accepted pin. */
export async function pinTools(core: Gateway): Promise<Pins> {
  const known = await core.pins.read();
  const unseen = toolsOf(core).filter((tool) => pinOf(known, tool) === undefined);
  if (unseen.length === 0) return known;
  const pinned = await core.store.transaction(async (unit) => {
    // Another call or server may have pinned them meanwhile: the first pin wins.
    const stored = new Map(
      (await unit.listToolPins()).map((pin) => [`${pin.server}/${pin.tool}`, pin]),
    );
    const pins = unseen
      .filter(({ server, name }) => !stored.has(`${server}/${name}`))
      .map((tool) => pinFor(core, tool));
    for (const pin of pins) {
      await unit.putToolPin(pin);
      await recordAudit(core, unit, {
        actor: "system",
        action: "tool.pinned",
        subject: `${pin.server}/${pin.tool}`,
        data: { hash: pin.hash },
      });
    }
    return [...pins, ...unseen.flatMap((tool) => pinOf(stored, tool) ?? [])];
  });
  await core.pins.put(pinned);
  return core.pins.read();
}

function pinFor(core: Pick<Core, "clock">, tool: UpstreamTool): ToolPin {
  return {
    server: tool.server,
    tool: tool.name,
    hash: tool.hash,
    definition: definitionOf(tool),
    acceptedBy: "system",
    at: core.clock.now(),
  };
}

/**
 * Watches the upstream servers while the daemon runs: pins new tools, and publishes an event when a
 * server, a tool or a quarantine has changed.
 */
export function watchUpstream(core: Core): () => void {
  const quarantined = new Set<string>();
  let statuses = new Map<string, string>();
  let usable = "[]";
  let isOver = false;

  const facts = () => ({ groupId: null, agentId: null, at: core.clock.now() });

  async function look(): Promise<void> {
    if (isOver) return;
    const pins = await pinTools(core);
    for (const tool of toolsOf(core)) {
      if (isQuarantined(pins, tool)) emitQuarantine(pins, tool);
    }
    emitStatuses();
    emitTools(pins);
  }

  function emitQuarantine(pins: Pins, tool: UpstreamTool): void {
    const key = JSON.stringify([tool.server, tool.name, tool.hash]);
    if (quarantined.has(key)) return;
    quarantined.add(key);
    const pinnedHash = pinOf(pins, tool)?.hash ?? null;
    core.log.warn("An upstream tool has changed and is left out until a person accepts it.", {
      server: tool.server,
      tool: tool.name,
    });
    core.events.emit({
      type: "gateway:tool_quarantined",
      ...facts(),
      data: { server: tool.server, tool: tool.name, hash: tool.hash, pinnedHash },
    });
  }

  function emitStatuses(): void {
    const before = statuses;
    statuses = new Map(
      core.upstream.servers().map((each) => [each.name, JSON.stringify([each.status, each.error])]),
    );
    for (const { name, status, error, restarts } of core.upstream.servers()) {
      if (before.get(name) === statuses.get(name)) continue;
      const data = { server: name, status, error, restarts };
      core.events.emit({ type: "gateway:server_changed", ...facts(), data });
    }
  }

  function emitTools(pins: Pins): void {
    const now = JSON.stringify(
      toolsOf(core).map((tool) => [tool.server, tool.name, tool.hash, isPinned(pins, tool)]),
    );
    if (now === usable) return;
    usable = now;
    core.events.emit({ type: "gateway:tools_changed", ...facts(), data: {} });
  }

  const lookSoon = runCoalesced(() =>
    look().catch((error: unknown) => {
      // Tools without a pin stay hidden; the next change or listing retries.
      core.log.error("Upstream tools could not be pinned.", { error: String(error) });
    }),
  );
  const unsubscribe = core.upstream.subscribe(() => void lookSoon());
  void lookSoon();
  return () => {
    isOver = true;
    unsubscribe();
  };
}

function toolsOf({ upstream }: Pick<Core, "upstream">): readonly UpstreamTool[] {
  return upstream.servers().flatMap(({ tools }) => tools);
}
