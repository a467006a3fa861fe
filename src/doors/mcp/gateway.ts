import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import {
  authorizeUpstreamCall,
  callUpstreamTool,
  type AuthorizedCall,
} from "../../app/gateway/call-upstream-tool.ts";
import { agentTools, type AgentTool } from "../../app/gateway/list-agent-tools.ts";
import { callRole } from "../../app/gateway/role-calls/call-role.ts";
import type { UpstreamAnswer, UpstreamProgress } from "../../app/ports/upstream.ts";
import { fieldsOf } from "../../base/narrow.ts";
import { Refusal } from "../../domain/refusal.ts";
import { rewriteOutputSchema, GATEWAY_MESSAGE } from "./rewrite-output-schema.ts";
import { isRoleCallTool, listRoleCallTools } from "./role-calls.ts";
import { runPipeline, type ToolAnswer, type ToolRequest } from "./run-pipeline.ts";

export type GatewayRequest = ToolRequest & {
  onProgress(progress: UpstreamProgress): void;
};

/** Role calls and upstream tools, for agents only: a client has its own servers. */
export async function listGatewayTools(core: Core, identity: Identity): Promise<WireTool[]> {
  if (identity.kind !== "agent") return [];
  const upstream = (await agentTools(core, identity.role)).map(wireTool);
  return [...listRoleCallTools(core, identity), ...upstream];
}

/** Calls a tool of an upstream server, or of a role. */
export function callGatewayTool(core: Core, request: GatewayRequest): Promise<CallToolResult> {
  const { name } = request;
  return runPipeline<AuthorizedCall | "role-call">(core, request, {
    authorize: async (identity) =>
      isRoleCallTool(core, identity, name)
        ? "role-call"
        : authorizeUpstreamCall(core, identity, name),
    // A role call takes no argument that a client could add.
    declaredArguments: (allowed) => (allowed === "role-call" ? {} : argumentsOf(allowed.tool)),
    async run(allowed, { identity, ...call }, args) {
      if (allowed === "role-call") {
        return { structuredContent: await callRole(core, identity, { ...call, name, args }) };
      }
      const answer = await callUpstreamTool(core, allowed, {
        ...call,
        name,
        args,
        onProgress: (progress) => request.onProgress(progress),
      });
      return toAnswer(answer, wireTool(allowed.tool).outputSchema !== undefined);
    },
    unexpected: () =>
      new Refusal("INTERNAL_ERROR", {
        en: [
          `${name} failed unexpectedly; whether it took effect is not known.`,
          "Find out with another tool what it did before you call it again.",
        ],
        ja: [
          `${name} が思いがけず失敗しました。実行されたかどうかは分かりません。`,
          "もう一度呼ぶ前に、何が行われたかを別のツールで確かめてください。",
        ],
      }),
  });
}

function toAnswer(answer: UpstreamAnswer, isStructured: boolean): ToolAnswer {
  const { content, structuredContent, isError } = answer;
  // Clients reject an answer without structured content if tools/list has an output schema.
  const structured =
    structuredContent ??
    (isStructured && !isError ? { [GATEWAY_MESSAGE]: textOf(answer) } : undefined);
  const blocks = content.filter(isContent);
  if (blocks.length < content.length) {
    throw new Refusal("UPSTREAM_FAILED", {
      en: [
        "The tool has run, but its answer is not a valid tool result.",
        "Find out with another tool what it did before you call it again.",
      ],
      ja: [
        "ツールは実行されましたが、応答が正しい形ではありません。",
        "もう一度呼ぶ前に、何が行われたかを別のツールで確かめてください。",
      ],
    });
  }
  return {
    content: blocks,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

type Content = CallToolResult["content"][number];

/** Narrows the type; the SDK has validated the block and validates it again when it is sent. */
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

function argumentsOf({ tool }: AgentTool): object {
  return fieldsOf(tool.inputSchema["properties"]);
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
