import { z } from "zod";
import { HUMAN_CHECKS } from "../../domain/gateway/human-check.ts";

const definition = z.record(z.string(), z.unknown());

/** An upstream MCP server with its tools. */
export const gatewayServerShape = z.object({
  name: z.string(),
  transport: z.enum(["stdio", "http"]),
  status: z.enum(["starting", "ready", "failed", "stopped"]),
  error: z.string().nullable(),
  restarts: z.number(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable(),
      description: z.string(),
      isReadOnly: z.boolean().describe("The configuration says that it changes nothing"),
      humanCheck: z.enum(HUMAN_CHECKS).describe("When a person checks a call, as configured"),
      isCheckedOutsideTask: z
        .boolean()
        .describe("A person checks each call of an agent that works on no task"),
      hash: z.string(),
      definition,
      isQuarantined: z.boolean().describe("It has changed; nobody may use it until it is accepted"),
      accepted: z
        .object({ hash: z.string(), definition, acceptedBy: z.string(), at: z.string() })
        .nullable(),
    }),
  ),
});
export type WireGatewayServer = z.infer<typeof gatewayServerShape>;
