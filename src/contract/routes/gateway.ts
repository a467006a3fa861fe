import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { gatewayServerShape } from "../shapes/gateway.ts";
import { idText, NO_INPUT } from "./inputs.ts";

export const getGateway = {
  ...NO_INPUT,
  method: "get",
  path: "/api/gateway",
  summary: "Upstream MCP servers, their status and their tools.",
  answer: z.object({
    servers: z.array(gatewayServerShape),
    note: z.string().exactOptional().describe("Why servers of the configuration are not used"),
  }),
} as const satisfies RouteContract;

export const acceptTool = {
  ...NO_INPUT,
  method: "post",
  path: "/api/gateway/accept",
  summary: "Accept the changed definition of an upstream tool.",
  body: z.strictObject({
    server: idText,
    tool: idText,
    hash: z.string().max(200).describe("Hash of the definition you saw; another one answers 409"),
  }),
  answer: z.object({ server: z.string(), tool: z.string(), hash: z.string() }),
} as const satisfies RouteContract;
