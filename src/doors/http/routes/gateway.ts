import { z } from "zod";
import { acceptTool } from "../../../app/accept-tool.ts";
import { UPSTREAM_STATUSES } from "../../../app/ports/upstream.ts";
import { viewGateway, type GatewayServerView } from "../../../app/view-gateway.ts";
import { iso } from "../../../contract/agent-shapes.ts";
import { defineRoute, type AnyRoute } from "../define-route.ts";
import { idText, NO_BODY, NO_PARAMS, NO_QUERY } from "./inputs.ts";

const definition = z.record(z.string(), z.unknown());
const serverShape = z.object({
  name: z.string(),
  transport: z.enum(["stdio", "http"]),
  status: z.enum(UPSTREAM_STATUSES),
  error: z.string().nullable(),
  restarts: z.number(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable(),
      description: z.string(),
      isReadOnly: z.boolean().describe("The configuration says that it changes nothing"),
      hash: z.string(),
      definition,
      isQuarantined: z.boolean().describe("It has changed; nobody may use it until it is accepted"),
      accepted: z
        .object({ hash: z.string(), definition, acceptedBy: z.string(), at: z.string() })
        .nullable(),
    }),
  ),
});

const list = defineRoute({
  method: "get",
  path: "/api/gateway",
  summary: "Upstream MCP servers, how they are, and their tools.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({ servers: z.array(serverShape) }),
  run: async (core) => ({ servers: (await viewGateway(core)).map(wireServer) }),
});

function wireServer(server: GatewayServerView): z.infer<typeof serverShape> {
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
