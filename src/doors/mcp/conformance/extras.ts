import type { Extras } from "../create-mcp-server.ts";
import { askingTools } from "./asking-tools.ts";
import { contentTools } from "./content-tools.ts";
import { notifyingTools } from "./notifying-tools.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";

const fixtures = [...contentTools, ...notifyingTools, ...askingTools];
const byName = new Map(fixtures.map((fixture) => [fixture.tool.name, fixture]));

/** The fixtures of the MCP conformance suite; only with `kuromajutsu serve --conformance`. */
export const conformanceExtras: Extras = {
  tools: fixtures.map(({ tool }) => tool),
  async callTool(name, args, context) {
    const found = byName.get(name);
    if (!found) throw new Error(`There is no fixture ${name}.`);
    return found.call(args, context);
  },
  extend(server) {
    server.registerCapabilities({ logging: {} });
    addPrompts(server);
    addResources(server);
  },
};
