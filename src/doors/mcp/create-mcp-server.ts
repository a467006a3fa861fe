import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as WireTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Core, Identity } from "../../app/core.ts";
import type { OnDelivery } from "../../app/gateway/gateway-call.ts";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "../../contract/introduction.ts";
import { callTool, mayUse } from "./call-tool.ts";
import { patienceOf } from "./client-profile.ts";
import type { AnyTool } from "./define-tool.ts";
import { callGatewayTool, listGatewayTools } from "./gateway.ts";
import { createProgress } from "./progress.ts";
import { inputSchema, outputSchema } from "./wire-schema.ts";

/** What the conformance suite needs besides our tools; absent in normal use. */
export type Extras = {
  readonly tools: readonly WireTool[];
  callTool(name: string, args: unknown, context: ServerContext): Promise<ToolResult>;
  extend(server: Server): void;
};

export type McpDoorOptions = {
  readonly core: Core;
  /** Loaded with the first request that needs them, so that `initialize` is answered sooner. */
  readonly tools: () => Promise<readonly AnyTool[]>;
  readonly version: string;
  readonly extras?: Extras;
};

export type ToolResult = CallToolResult | InputRequiredResult;

export type Connection = {
  identify(context: ServerContext): Promise<Identity>;
  /** Says whether the answer of a call was sent; undefined: as long as the caller is there, it was. */
  readonly onDelivery?: ((context: ServerContext) => OnDelivery | undefined) | undefined;
  /** The connection to the caller's machine is lost; the caller is still there and will call again. */
  readonly isCutOff?: () => boolean;
  /** Answers an open call when the daemon stops; without it the client finds out by itself. */
  readonly openCalls?: { answer(call: Promise<ToolResult>): Promise<ToolResult> };
};

/** The only place where our tools are registered with the SDK. One server per connection or request. */
export function createMcpServer(options: McpDoorOptions, connection: Connection): Server {
  const { core, extras } = options;
  const server = new Server(
    { ...SERVER_INFO, version: options.version },
    { capabilities: CAPABILITIES, instructions: INSTRUCTIONS },
  );

  server.setRequestHandler("tools/list", async (_request, context) => {
    const identity = await identify(context);
    const visible = (await options.tools()).filter((tool) => mayUse(tool, identity));
    const gateway = await listGatewayTools(core, identity);
    return { tools: [...visible.map(wireTool), ...gateway, ...(extras?.tools ?? [])] };
  });
  server.setRequestHandler("tools/call", (request, context) => {
    const answer = call(request.params, context);
    return connection.openCalls?.answer(answer) ?? answer;
  });
  extras?.extend(server);
  const identifying: Connection = { ...connection, identify };
  return server;

  async function identify(context: ServerContext): Promise<Identity> {
    const identity = await connection.identify(context);
    if (identity.kind !== "agent") core.seenClients.note(clientNameOf(server, context));
    return identity;
  }

  async function call(
    { name, arguments: args }: CallToolRequest["params"],
    context: ServerContext,
  ): Promise<ToolResult> {
    const tool = byName(await options.tools()).get(name);
    if (tool) {
      return callTool(core, tool, { name, args, ...callContext(server, identifying, context) });
    }
    if (extras?.tools.some((extra) => extra.name === name)) {
      return extras.callTool(name, args, context);
    }
    const called = callContext(server, identifying, context);
    const asked = called.identify();
    const identity = await asked.catch(() => undefined);
    // The pipeline answers a caller that could not be identified with the reason.
    if (identity === undefined || identity.kind === "agent") {
      return callGatewayTool(core, { name, args, ...called, identify: () => asked });
    }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${name}. Call tools/list to see what there is.`,
    );
  }
}

function callContext(server: Server, connection: Connection, context: ServerContext) {
  const progressToken = context.mcpReq._meta?.progressToken;
  const progress = createProgress((params) => {
    if (progressToken === undefined) return;
    const sent = context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, ...params },
    });
    // The client has disconnected, so its call is being aborted anyway.
    sent.catch(() => {});
  });
  return {
    signal: context.mcpReq.signal,
    traceparent: context.mcpReq._meta?.["traceparent"],
    patienceMs: patienceOf(clientNameOf(server, context), progressToken !== undefined),
    identify: () => connection.identify(context),
    onDelivery: connection.onDelivery?.(context),
    isCutOff: connection.isCutOff,
    beat: progress.beat,
    onProgress: progress.passOn,
  };
}

const envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });

/** Modern requests carry the client's name; older clients send it once, in `initialize`. */
function clientNameOf(server: Server, context: ServerContext): string | undefined {
  const { envelope: received } = context.mcpReq;
  const modern = received === undefined ? undefined : envelope.safeParse(received).data;
  return modern?.[CLIENT_INFO_META_KEY].name ?? server.getClientVersion()?.name;
}

const namedTools = new WeakMap<readonly AnyTool[], ReadonlyMap<string, AnyTool>>();

function byName(tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  const known = namedTools.get(tools);
  if (known) return known;
  const made = new Map(tools.map((tool) => [tool.name, tool]));
  namedTools.set(tools, made);
  return made;
}

const wireTools = new WeakMap<AnyTool, WireTool>();

/** Cached, because a modern client needs a new server for every call. */
export function wireTool(tool: AnyTool): WireTool {
  const known = wireTools.get(tool);
  if (known) return known;
  const made: WireTool = {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema(tool.input),
    outputSchema: outputSchema(tool.output),
    annotations: annotationsOf(tool.hints),
  };
  wireTools.set(tool, made);
  return made;
}

/** Only hints that differ from the default of the protocol, or that decide whether to retry a call. */
function annotationsOf({ readOnly, idempotent }: AnyTool["hints"]): WireTool["annotations"] {
  if (readOnly) return { readOnlyHint: true };
  return { idempotentHint: idempotent, destructiveHint: false };
}
