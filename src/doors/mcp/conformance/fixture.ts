import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  Tool as WireTool,
} from "@modelcontextprotocol/server";

/** A tool that the conformance suite calls by name; it does not use our core. */
export type Fixture = {
  readonly tool: WireTool;
  call(
    args: unknown,
    context: ServerContext,
  ): CallToolResult | Promise<CallToolResult | InputRequiredResult>;
};

export function fixture(name: string, description: string, call: Fixture["call"]): Fixture {
  return { tool: { name, description, inputSchema: { type: "object", properties: {} } }, call };
}
