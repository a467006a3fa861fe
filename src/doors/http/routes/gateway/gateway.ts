import { acceptTool } from "../../../../app/gateway/accept-tool.ts";
import { viewGateway, type GatewayServerView } from "../../../../app/gateway/view-gateway.ts";
import { untrustedHint } from "../../../../app/people/untrusted.ts";
import * as contract from "../../../../contract/routes/gateway.ts";
import type { WireGatewayServer } from "../../../../contract/shapes/gateway.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.getGateway, {
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

const accept = defineRoute(contract.acceptTool, {
  needs: "admin",
  run: (core, { body }, identity) => acceptTool(core, identity, body),
});

export const GATEWAY_ROUTES: readonly Route[] = [list, accept];
