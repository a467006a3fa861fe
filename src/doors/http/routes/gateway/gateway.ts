import { z } from "zod";
import { acceptTool } from "../../../../app/gateway/accept-tool.ts";
import { viewGateway, type GatewayServerView } from "../../../../app/gateway/view-gateway.ts";
import { untrustedHint } from "../../../../app/people/untrusted.ts";
import { gatewayServerShape, type WireGatewayServer } from "../../../../contract/gateway.ts";
import { iso } from "../../../../contract/iso.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { idText, NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

const list = defineRoute({
  method: "get",
  path: "/api/gateway",
  summary: "Upstream MCP servers, how they are, and their tools.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({
    servers: z.array(gatewayServerShape),
    note: z.string().exactOptional().describe("Why servers of the configuration are not used"),
  }),
  async run(core) {
    const note = untrustedHint(core).trim();
    return { servers: (await viewGateway(core)).map(wireServer), ...(note && { note }) };
  },
});

function wireServer(server: GatewayServerView): WireGatewayServer {
  return {
    ...server,
    tools: server.tools.map((tool) => ({
      ...tool,
      accepted: tool.accepted && { ...tool.accepted, at: iso(tool.accepted.at) },
    })),
  };
}

const accept = defineRoute({
  method: "post",
  path: "/api/gateway/accept",
  summary: "Accept the changed definition of an upstream tool.",
  needs: "admin",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: z.strictObject({
    server: idText,
    tool: idText,
    hash: z.string().max(200).describe("Of the definition you were shown; else 409"),
  }),
  answer: z.object({ server: z.string(), tool: z.string(), hash: z.string() }),
  run: (core, { body }, identity) => acceptTool(core, identity, body),
});

export const GATEWAY_ROUTES: readonly AnyRoute[] = [list, accept];
