import { setTimeout as sleep } from "node:timers/promises";
// Only the type: the SDK takes longer to load than the rest of a run.
import type { Client } from "@modelcontextprotocol/client";
import { isCode } from "../base/error-code.ts";
import { readAnswer, type ToolAnswer } from "./answer.ts";

export type ToolCaller = {
  /**
   * Retries through a restart of the daemon. Rejects if the daemon cannot be reached or refuses the
   * call.
   */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** Begins the address of a local socket. */
export const SOCKET_SCHEME = "unix:";

export type ToolCallerOptions = {
  /** The address of our MCP server over HTTP, or of the local socket. */
  readonly url: string;
  readonly token: string | undefined;
  readonly retryForMs: number;
};

const CONNECT_LIMIT_MS = 10_000;
/** Long enough for a call that waits for other agents or for a person. */
const CALL_LIMIT_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** The answer may be read a little after the end of its stream. */
const ANSWER_GRACE_MS = 1_000;

export function createToolCaller({ url, token, retryForMs }: ToolCallerOptions): ToolCaller {
  let client: Client | undefined;
  /** Set while a call waits for its answer. */
  let onStreamEnd: (() => void) | undefined;

  async function connect(): Promise<Client> {
    client ??= await openClient(url, token, () => onStreamEnd?.());
    return client;
  }

  async function close(): Promise<void> {
    const old = client;
    client = undefined;
    // The connection is broken or about to be closed, so a failure to close it does not matter.
    await old?.close().catch(() => undefined);
  }

  async function callOnce(to: Client, name: string, args: Record<string, unknown>) {
    const broken = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    onStreamEnd = () => {
      timer = setTimeout(() => {
        broken.abort(new Error("The answer's stream ended without an answer."));
      }, ANSWER_GRACE_MS);
    };
    try {
      return await to.callTool(
        { name, arguments: args },
        {
          timeout: CALL_LIMIT_MS,
          onprogress: ignore,
          resetTimeoutOnProgress: true,
          signal: broken.signal,
        },
      );
    } finally {
      onStreamEnd = undefined;
      clearTimeout(timer);
    }
  }

  return {
    async call(name, args) {
      let firstFailureAt: number | undefined;
      let pauseMs = FIRST_PAUSE_MS;
      let mayHaveRun = false;
      for (;;) {
        let isSent = false;
        try {
          const to = await connect();
          if (mayHaveRun && !(await isRepeatable(to, name))) {
            throw new OutcomeUnknown(
              `The connection broke during ${name}, which must not run twice: its outcome is unknown.`,
            );
          }
          isSent = true;
          return requireStore(readAnswer(await callOnce(to, name, { ...args })));
        } catch (error) {
          await close();
          if (await isFinal(error)) throw error;
          mayHaveRun ||= isSent && !wasRefused(error);
          firstFailureAt ??= Date.now();
          if (Date.now() - firstFailureAt + pauseMs > retryForMs) {
            throw new Error(`${url} could not be reached: ${reasonOf(error)}`, { cause: error });
          }
          await sleep(pauseMs);
          pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        }
      }
    },
    close,
  };
}

async function openClient(
  url: string,
  token: string | undefined,
  onStreamEnd: () => void,
): Promise<Client> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "kuromajutsu-rehearsal", version: "0" },
    { versionNegotiation: { mode: "auto" } },
  );
  if (url.startsWith(SOCKET_SCHEME)) {
    const { createSocketTransport } = await import("./socket-transport.ts");
    const path = url.slice(SOCKET_SCHEME.length);
    const transport = await createSocketTransport(path, {
      kind: "mcp",
      version: "0",
      pid: process.pid,
      cwd: process.cwd(),
      token: token ?? null,
      keys: {},
    });
    await client.connect(transport, { timeout: CONNECT_LIMIT_MS });
    return client;
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    fetch: async (target, init) => {
      const response = await fetch(target, init);
      return init?.method === "POST" ? watchEnd(response, onStreamEnd) : response;
    },
  });
  await client.connect(transport, { timeout: CONNECT_LIMIT_MS });
  return client;
}

/** Its hint says to try again in a moment. */
function requireStore(answer: ToolAnswer): ToolAnswer {
  if (answer.isError && answer.fields["code"] === "STORE_UNAVAILABLE") throw new Error(answer.text);
  return answer;
}

export class OutcomeUnknown extends Error {}

/** The server refused the call, so a retry would get the same answer. */
async function isFinal(error: unknown): Promise<boolean> {
  if (error instanceof OutcomeUnknown) return true;
  const { INTERNAL_ERROR, ProtocolError, SdkHttpError } =
    await import("@modelcontextprotocol/client");
  // A daemon that is stopping may answer with an internal error.
  if (ProtocolError.isInstance(error)) return error.code !== INTERNAL_ERROR;
  // 404: a session that the restarted daemon does not know.
  return SdkHttpError.isInstance(error) && [400, 401, 403, 405, 413].includes(error.status);
}

/** A call may be repeated unless its tool declares that each call changes something. */
async function isRepeatable(client: Client, name: string): Promise<boolean> {
  const { tools } = await client.listTools(undefined, { timeout: CONNECT_LIMIT_MS });
  const hints = tools.find((tool) => tool.name === name)?.annotations;
  return hints?.readOnlyHint === true || hints?.idempotentHint !== false;
}

/** The connection was refused, so the call cannot have run. */
function wasRefused(error: unknown): boolean {
  return error instanceof Error && isCode(error.cause, "ECONNREFUSED");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}

/**
 * The SDK sends a progress token only if there is a listener; progress events just keep the call
 * alive.
 */
function ignore(): void {}

/**
 * When the stream of an answer just ends, as it does when the daemon stops, the SDK waits for its
 * whole time limit. This detects the end at once.
 */
function watchEnd(response: Response, onEnd: () => void): Response {
  if (!response.body || !response.headers.get("content-type")?.includes("event-stream")) {
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        onEnd();
      } catch (error) {
        controller.error(error);
        onEnd();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
