import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import { callUpstreamTool } from "../../app/gateway/call-upstream-tool.ts";
import { agentTools, type AgentTool } from "../../app/gateway/list-agent-tools.ts";
import type { JsonObject, UpstreamAnswer, UpstreamProgress } from "../../app/ports/upstream.ts";
import { findTool } from "../../domain/gateway/catalogue.ts";
import { Refusal } from "../../domain/refusal.ts";
import { noticeFor, withNotification } from "./announce.ts";
import { refusalAnswer, type ToolRequest } from "./call-tool.ts";
import { withoutClientArguments } from "./client-arguments.ts";
import { rewriteOutputSchema, SAID_INSTEAD } from "./rewrite-output-schema.ts";
import { isRoleCallTool, listRoleCallTools, runRoleCall } from "./role-calls.ts";

export type GatewayRequest = ToolRequest & {
  onProgress(progress: UpstreamProgress): void;
};

/** Upstream tools, for the agents whose role may use them; a main agent has its own servers. */
export async function listGatewayTools(core: Core, identity: Identity): Promise<WireTool[]> {
  if (identity.kind !== "agent") return [];
  const upstream = (await agentTools(core, identity.role)).map(wireTool);
  return [...listRoleCallTools(core, identity), ...upstream];
}

/** The same road as our own tools': identify → authorise → run → map refusals → announce. */
export async function callGatewayTool(
  core: Core,
  request: GatewayRequest,
): Promise<CallToolResult> {
  try {
    const identity = await request.identify();
    const answer = await answerTo(core, identity, request);
    return announced(answer, await noticeFor(core, identity));
  } catch (error) {
    return refusalAnswer(toRefusal(core, request.name, error));
  }
}

async function answerTo(
  core: Core,
  identity: Identity,
  request: GatewayRequest,
): Promise<CallToolResult> {
  const { name, signal, patienceMs } = request;
  try {
    const tool = await toolOf(core, identity, name);
    const call = {
      name,
      args: readArguments(name, withoutClientArguments(request.args, argumentsOf(tool))),
      signal,
      patienceMs,
      beat: (message: string) => request.beat(message),
    };
    if (isRoleCallTool(core, identity, name)) return await runRoleCall(core, identity, call);
    const answer = await callUpstreamTool(core, identity, {
      ...call,
      onProgress: (progress) => request.onProgress(progress),
    });
    return toResult(answer, tool !== undefined && wireTool(tool).outputSchema !== undefined);
  } catch (error) {
    return refusalAnswer(toRefusal(core, name, error));
  }
}

function readArguments(name: string, args: unknown): JsonObject {
  if (args === undefined) return {};
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return { ...args };
  throw new Refusal(
    "INVALID_ARGUMENTS",
    `${name}: the arguments are no object.`,
    "Send an object with the arguments by name.",
  );
}

function toResult(answer: UpstreamAnswer, isStructured: boolean): CallToolResult {
  const { content, structuredContent, isError } = answer;
  // A client that was told of a schema turns down an answer that has nothing to compare with it.
  const structured =
    structuredContent ??
    (isStructured && !isError ? { [SAID_INSTEAD]: textOf(answer) } : undefined);
  const blocks = content.filter(isContent);
  if (blocks.length < content.length) {
    throw new Refusal(
      "UPSTREAM_FAILED",
      "The tool has run, but what it answered is no tool result.",
      "Find out with another tool what it did before you call it again.",
    );
  }
  return {
    content: blocks,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

type Content = CallToolResult["content"][number];

/** The SDK has checked it when it came and checks it again when it goes; this is for the types. */
function isContent(block: Readonly<Record<string, unknown>>): block is Content {
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string";
    case "image":
    case "audio":
      return typeof block["data"] === "string" && typeof block["mimeType"] === "string";
    case "resource_link":
      return typeof block["uri"] === "string" && typeof block["name"] === "string";
    case "resource":
      return typeof block["resource"] === "object" && block["resource"] !== null;
    default:
      return false;
  }
}

function textOf({ content }: UpstreamAnswer): string {
  return content.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}

/** The line is the first text and the first structured key: some clients show only one of them. */
function announced(answer: CallToolResult, notification: string | undefined): CallToolResult {
  if (notification === undefined) return answer;
  const content = [{ type: "text" as const, text: notification }, ...answer.content];
  const structuredContent = withNotification(notification, answer.structuredContent);
  return { ...answer, content, ...(structuredContent && { structuredContent }) };
}

function toRefusal(core: Core, name: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  core.log.error("A call through the gateway failed unexpectedly.", {
    tool: name,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new Refusal(
    "INTERNAL_ERROR",
    `${name} failed unexpectedly; whether it took effect is not known.`,
    "Find out with another tool what it did before you call it again.",
  );
}

async function toolOf(
  core: Core,
  identity: Identity,
  name: string,
): Promise<AgentTool | undefined> {
  if (identity.kind !== "agent") return undefined;
  return findTool(await agentTools(core, identity.role), name);
}

/** The arguments an upstream tool declares; a role tool has none that clients would add. */
function argumentsOf(tool: AgentTool | undefined): object {
  const declared = tool?.tool.inputSchema["properties"];
  return typeof declared === "object" && declared !== null ? declared : {};
}

const wireTools = new WeakMap<AgentTool, WireTool>();

function wireTool(agentTool: AgentTool): WireTool {
  const known = wireTools.get(agentTool);
  if (known) return known;
  const { call, tool } = agentTool;
  const { title, description, inputSchema, annotations } = tool;
  const outputSchema = rewriteOutputSchema(tool.outputSchema);
  const made: WireTool = {
    name: call,
    ...(title === null ? {} : { title }),
    description,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
  wireTools.set(agentTool, made);
  return made;
}
