import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as WireTool,
} from "@modelcontextprotocol/server";
import { CHECK_TOOL, type Probe } from "../../app/health/probes.ts";
import { CAPABILITIES, SERVER_INFO } from "../../contract/introduction.ts";

const TOOL: WireTool = {
  name: CHECK_TOOL,
  description: "Confirms the connection to Kuromajutsu. Takes no arguments and changes nothing.",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/**
 * The MCP server of a health check's run. It is a server of its own, so that a probe reaches no
 * other tool whatever it sends.
 */
export function createProbeServer(probe: Probe, version: string): Server {
  const server = new Server(
    { ...SERVER_INFO, version },
    {
      capabilities: CAPABILITIES,
      instructions: `This is a check of the connection. The only tool is ${CHECK_TOOL}.`,
    },
  );
  probe.markConnected();
  server.setRequestHandler("tools/list", () => ({ tools: probe.isOpen ? [TOOL] : [] }));
  server.setRequestHandler("tools/call", ({ params: { name } }) => {
    if (!probe.isOpen || name !== CHECK_TOOL) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${name}. A health check may only call ${CHECK_TOOL}, until it ends.`,
      );
    }
    probe.markCalled();
    return { content: [{ type: "text", text: "The connection to Kuromajutsu works." }] };
  });
  return server;
}
