import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import type { JsonObject } from "../../app/ports/upstream.ts";
import { recordToolRequest } from "../../app/telemetry/record-tool-request.ts";
import { nameCommands } from "../../base/command-name.ts";
import { isRecord } from "../../base/narrow.ts";
import { currentTrace, inTrace, traceOf, type Trace } from "../../base/trace.ts";
import { Refusal } from "../../domain/refusal.ts";
import { announce, notificationLineFor } from "./announce.ts";
import { withoutClientArguments } from "./client-arguments.ts";
import type { ToolCall } from "./define-tool.ts";

export type ToolRequest = Omit<ToolCall, "core" | "identity"> & {
  readonly name: string;
  readonly args: unknown;
  /** The `traceparent` of the call's `_meta`. */
  readonly traceparent?: unknown;
  identify(): Promise<Identity>;
};

/** Without `content`, the text of the answer is its structured content as JSON. */
export type ToolAnswer = Pick<CallToolResult, "structuredContent" | "isError"> & {
  readonly content?: CallToolResult["content"];
  /** The code of a refusal; not sent by itself. */
  readonly code?: string;
};

/** What differs between our own tools and the tools behind the gateway. */
export type ToolHandler<Allowed> = {
  /** The only check of whether this caller may make the call; refuses, or returns what may be called. */
  authorize(identity: Identity): Promise<Allowed>;
  /** The arguments that the tool declares, by name. */
  declaredArguments(allowed: Allowed): object;
  /** `call.identity` was authorized. */
  run(allowed: Allowed, call: ToolCall, args: JsonObject): Promise<ToolAnswer>;
  /** The refusal after a bug of ours: the core refused nothing and yet there is no answer. */
  unexpected(): Refusal;
};

/** The only way a tool is called: identify, authorize, validate, run, map errors, announce. */
export async function runPipeline<Allowed>(
  core: Core,
  request: ToolRequest,
  handler: ToolHandler<Allowed>,
): Promise<CallToolResult> {
  const trace = traceOfRequest(core, request);
  return inTrace(trace, async () => {
    const startedAt = core.clock.now();
    let identity: Identity | undefined;
    let answer: ToolAnswer;
    try {
      identity = await request.identify();
      answer = await answerTo(core, identity, request, handler);
    } catch (error) {
      answer = refuse(core, request, handler, error);
    }
    const error = answer.isError === true ? (answer.code ?? "tool_error") : null;
    recordToolRequest(core, { tool: request.name, identity, trace, startedAt, error });
    return announce(answer, identity && (await notificationLineFor(core, identity)));
  });
}

/** HTTP has begun a trace already, unless the call itself names one. */
function traceOfRequest(core: Core, { traceparent }: ToolRequest): Trace {
  const known = traceparent === undefined ? currentTrace() : undefined;
  return known ?? traceOf(traceparent, () => core.random.hex(16));
}

/** Refusals are answers too, so that they carry the notification line. */
async function answerTo<Allowed>(
  core: Core,
  identity: Identity,
  request: ToolRequest,
  handler: ToolHandler<Allowed>,
): Promise<ToolAnswer> {
  try {
    const allowed = await handler.authorize(identity);
    const args = readArguments(request, handler.declaredArguments(allowed));
    return await handler.run(allowed, { ...request, core, identity }, args);
  } catch (error) {
    return refuse(core, request, handler, error);
  }
}

function readArguments({ name, args }: ToolRequest, declared: object): JsonObject {
  const own = withoutClientArguments(args ?? {}, declared);
  if (isRecord(own)) return { ...own };
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [`${name}: the arguments are not an object.`, "Send an object with the arguments by name."],
    ja: [
      `${name}: 引数がオブジェクトではありません。`,
      "引数を名前付きのオブジェクトで送ってください。",
    ],
  });
}

function refuse(
  core: Core,
  request: ToolRequest,
  handler: Pick<ToolHandler<unknown>, "unexpected">,
  error: unknown,
): ToolAnswer {
  if (error instanceof Refusal) return refusalAnswer(core, error);
  core.log.error("A tool call failed unexpectedly.", {
    tool: request.name,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return refusalAnswer(core, handler.unexpected());
}

function refusalAnswer({ environment }: Core, { code, message, ...refusal }: Refusal): ToolAnswer {
  const hint = nameCommands(refusal.hint, environment.commandName);
  const traceId = currentTrace()?.traceId;
  const text = JSON.stringify({ error: true, code, message, hint, traceId });
  return { isError: true, code, content: [{ type: "text", text }] };
}
