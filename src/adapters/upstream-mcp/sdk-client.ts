import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type RequestOptions,
  type Tool,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import {
  UpstreamFault,
  type ContentBlock,
  type JsonObject,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamTool,
} from "../../app/ports/upstream.ts";
import { isRecord } from "../../base/narrow.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { MAX_DEPTH } from "./limits.ts";
import { isDeeperThan, readPages, type ToolPage } from "./read-tools.ts";
import { faultOf, isTimeout, reasonOf, shortText } from "./sdk-faults.ts";
import { expandAll, serverEnvironment } from "./server-environment.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";
import { unreachable } from "./unreachable.ts";

/** Servers that know this key can recognise a repeated call. */
const IDEMPOTENCY_KEY = "kuromajutsu/idempotencyKey";
const TERMINATE_MS = 300;

export type OpenClient = {
  readonly settings: UpstreamSettings;
  readonly directory: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly version: string;
  readonly startMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** Negotiate the protocol version: the legacy handshake was refused. */
  readonly isModern: boolean;
  onToolsChanged(): void;
  onGarbage(beginning: string): void;
};

export type OpenedClient = {
  listTools(): Promise<Awaited<ReturnType<typeof readPages>>>;
  /** Rejects with an UpstreamFault. */
  call(tool: UpstreamTool, ownName: string, call: UpstreamCall): Promise<UpstreamAnswer>;
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<string>;
  close(): Promise<void>;
};

/** The server answered the handshake with an error. */
export class HandshakeRefused extends Error {}

/** Opens a client of the SDK. This file is loaded only when there is a server to talk to. */
export async function openClient(options: OpenClient): Promise<OpenedClient> {
  const { settings } = options;
  const stdio = settings.command === undefined ? undefined : stdioTransport(options);
  const link = stdio ? { transport: stdio, close: () => stdio.close() } : httpLink(options);
  const close = async (): Promise<void> => {
    options.signal.removeEventListener("abort", closeNow);
    await link.close();
  };
  const closeNow = (): void => void close();
  // Also ends a handshake that is never answered.
  options.signal.addEventListener("abort", closeNow);
  const client = new Client(
    { name: "kuromajutsu", version: options.version },
    {
      versionNegotiation: { mode: stdio && !options.isModern ? "legacy" : "auto" },
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 50, onChanged: () => options.onToolsChanged() },
      },
    },
  );
  // Errors of a call reach the call; the others are of no interest.
  client.onerror = () => {};
  const closed = Promise.withResolvers<string>();
  client.onclose = () => closed.resolve(stdio?.failure() ?? "The connection was closed.");
  try {
    await client.connect(link.transport, { timeout: options.startMs, signal: options.signal });
  } catch (error) {
    await close();
    if (ProtocolError.isInstance(error))
      throw new HandshakeRefused(`It refused: ${reasonOf(error)}`);
    throw explain(error, stdio, settings.url);
  }
  return {
    closed: closed.promise,
    async listTools() {
      try {
        return await readPages((cursor) => listPage(client, cursor, options.startMs));
      } catch (error) {
        throw explain(error, stdio, settings.url);
      }
    },
    call: (tool, ownName, call) =>
      callTool(client, settings.timeout_ms, stdio ? undefined : tool, ownName, call),
    close,
  };
}

function stdioTransport(options: OpenClient): StdioTransport {
  const { settings, directory, variables, graceMs } = options;
  return createStdioTransport({
    command: settings.command ?? "",
    args: settings.args ?? [],
    env: serverEnvironment(variables, settings.env ?? {}),
    cwd: resolve(directory, settings.cwd ?? "."),
    graceMs,
    onGarbage: (beginning) => options.onGarbage(beginning),
  });
}

function httpLink({ settings, variables }: OpenClient) {
  const transport = new StreamableHTTPClientTransport(new URL(settings.url ?? ""), {
    requestInit: { headers: expandAll(settings.headers ?? {}, variables, "headers") },
    fetch: boundedFetch,
  });
  return {
    transport,
    async close(): Promise<void> {
      // Best effort: we do not wait long for it.
      const terminated = transport.terminateSession().catch(() => {});
      await Promise.race([terminated, sleep(TERMINATE_MS)]);
      await transport.close().catch(() => {});
    },
  };
}

function explain(
  error: unknown,
  stdio: StdioTransport | undefined,
  url: string | undefined,
): Error {
  const ended = stdio?.failure() ?? (url === undefined ? undefined : unreachable(error, url));
  if (ended !== undefined) return new Error(ended);
  return new Error(isTimeout(error) ? "It did not answer in time." : reasonOf(error));
}

/** Loose: one malformed definition must not hide all the others. */
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

async function listPage(
  client: Client,
  cursor: string | undefined,
  timeout: number,
): Promise<ToolPage> {
  if (!client.getServerCapabilities()?.tools) return { tools: [] };
  const params = cursor === undefined ? {} : { cursor };
  const { tools, nextCursor } = await client.request({ method: "tools/list", params }, page, {
    timeout,
  });
  return nextCursor === undefined ? { tools } : { tools, nextCursor };
}

/** Only what we read ourselves; the agent's client validates the content of the blocks. */
const toolAnswer = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** `tool` is given for HTTP, where the definition says which arguments go into headers. */
async function callTool(
  client: Client,
  timeout: number,
  tool: UpstreamTool | undefined,
  ownName: string,
  call: UpstreamCall,
): Promise<UpstreamAnswer> {
  const { signal } = call;
  if (signal.aborted) throw new UpstreamFault("cancelled", "The call was cancelled.");
  if (!client.transport) throw new UpstreamFault("unavailable", "The server is not connected.");
  const params = {
    name: ownName,
    arguments: { ...call.args },
    _meta: { [IDEMPOTENCY_KEY]: call.idempotencyKey },
  };
  const options: RequestOptions = {
    signal,
    timeout,
    resetTimeoutOnProgress: true,
    onprogress: ({ progress, total, message }) => {
      call.onProgress({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: shortText(message) }),
      });
    },
  };
  try {
    const answer = tool
      ? await client.callTool(params, { ...options, toolDefinition: definitionFor(tool, ownName) })
      : await client.request({ method: "tools/call", params }, toolAnswer, options);
    return readAnswer(answer);
  } catch (error) {
    throw faultOf(error, signal, timeout);
  }
}

/** Without the output schema: the SDK would validate the answer against it. */
function definitionFor(tool: UpstreamTool, name: string): Tool {
  return { name, inputSchema: { ...tool.inputSchema, type: "object" } };
}

type WireAnswer = {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

function readAnswer({ content, structuredContent, isError }: WireAnswer): UpstreamAnswer {
  if (isDeeperThan([content, structuredContent], MAX_DEPTH)) {
    throw new UpstreamFault("too_large", "The answer is nested too deeply.");
  }
  const blocks: ContentBlock[] = content.map((block) => ({ ...block }));
  if (structuredContent === undefined) return { content: blocks, isError: isError === true };
  const structured = asObject(structuredContent);
  if (structured) {
    return { content: blocks, structuredContent: structured, isError: isError === true };
  }
  // The newest protocol revision allows any value; older clients know only objects.
  const text = { type: "text", text: JSON.stringify(structuredContent) };
  return { content: blocks.length > 0 ? blocks : [text], isError: isError === true };
}

function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? { ...value } : undefined;
}
