import { UpstreamFault } from "../../app/ports/upstream.ts";
import type { Log } from "../../app/ports/world.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import { readTools, type ReadTools } from "./read-tools.ts";
// Only the type: the SDK is loaded when the first server is started.
import type { OpenedClient } from "./sdk-client.ts";

export type ToolList = ReturnType<typeof createToolList>;

/** The tools of the server, as it last listed them. */
export function createToolList(options: {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly log: Log;
  readonly known?: ReadTools;
}) {
  const { name, settings, log } = options;
  let known: ReadTools = options.known ?? { tools: [], ownNames: new Map(), remarks: [] };
  let remarked = "";
  return {
    known: () => known,
    /** Answers whether anything has changed. */
    async refresh(from: OpenedClient): Promise<boolean> {
      const { found, remarks } = await from.listTools();
      const read = readTools(name, found, settings.tools);
      const all = [...remarks, ...read.remarks];
      if (all.length > 0 && all.join() !== remarked) {
        log.warn("Some tools of an upstream server were left out or truncated.", {
          server: name,
          remarks: all.slice(0, 20),
        });
      }
      remarked = all.join();
      const isNews = hashesOf(read) !== hashesOf(known);
      known = read;
      return isNews;
    },
    find(toolName: string) {
      const tool = known.tools.find((each) => each.name === toolName);
      const ownName = known.ownNames.get(toolName);
      if (tool && ownName !== undefined) return { tool, ownName };
      throw new UpstreamFault("unavailable", `${name} has no tool ${toolName} now.`);
    },
  };
}

function hashesOf({ tools }: ReadTools): string {
  return tools.map(({ hash }) => hash).join();
}
