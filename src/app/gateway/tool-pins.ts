import type { Queries } from "../ports/store.ts";
import type { ToolPin } from "../ports/task-store.ts";
import type { UpstreamTool } from "../ports/upstream.ts";

/** Keyed by `server/tool`. A new map after every change, so that it can key a cache. */
export type Pins = ReadonlyMap<string, ToolPin>;

/** Cache of the accepted tool definitions in the store. */
export type ToolPins = {
  read(): Promise<Pins>;
  /** Call this after the commit. */
  put(pins: readonly ToolPin[]): Promise<void>;
  /** The next call reads the store again. */
  forget(): void;
};

export function createToolPins(store: Pick<Queries, "listToolPins">): ToolPins {
  let reading: Promise<Pins> | undefined;

  /** A failure is not cached: the next call reads again. */
  function keep(pins: Promise<Pins>): Promise<Pins> {
    reading = pins;
    pins.catch(() => {
      if (reading === pins) reading = undefined;
    });
    return pins;
  }
  async function load(): Promise<Pins> {
    const pins = await store.listToolPins();
    return new Map(pins.map(entryOf));
  }
  const read = (): Promise<Pins> => reading ?? keep(load());
  return {
    read,
    async put(pins) {
      await keep(read().then((known) => new Map([...known, ...pins.map(entryOf)])));
    },
    forget: () => void (reading = undefined),
  };
}

function entryOf(pin: ToolPin): readonly [string, ToolPin] {
  return [keyOf(pin.server, pin.tool), pin];
}

/** The current definition was accepted, so the tool may be used. */
export function isPinned(pins: Pins, tool: UpstreamTool): boolean {
  return pinOf(pins, tool)?.hash === tool.hash;
}

/** The definition has changed since it was accepted. */
export function isQuarantined(pins: Pins, tool: UpstreamTool): boolean {
  const pin = pinOf(pins, tool);
  return pin !== undefined && pin.hash !== tool.hash;
}

export function pinOf(pins: Pins, { server, name }: UpstreamTool): ToolPin | undefined {
  return pins.get(keyOf(server, name));
}

/** Server names have no slash, so two pairs never make one key. */
function keyOf(server: string, tool: string): string {
  return `${server}/${tool}`;
}

/** The text that is hashed. */
export function definitionOf(tool: UpstreamTool): ToolPin["definition"] {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, outputSchema, annotations };
}
