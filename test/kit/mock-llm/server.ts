import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import {
  CALL_ID,
  HIDDEN_ID,
  plainName,
  type Conversation,
  type Dialect,
  type OwnCall,
} from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { RESETS_AT, type Action, type Cli, type Script, type Turn } from "./script.ts";

const DIALECTS = [anthropic, responses, gemini, chat];

export type MockLlm = {
  /** Without a path. */
  readonly url: string;
  /** Every request that the script has answered, oldest first. */
  readonly turns: readonly Turn[];
  /** How many answers of the model the CLI has got, including those to calls that the kit adds. */
  readonly answers: number;
  /** Every request, also those for titles and the like, which the script does not see. */
  readonly requests: readonly {
    readonly cli: Cli | null;
    readonly path: string;
    readonly body: unknown;
  }[];
  /** Throws what has gone wrong inside the mock itself. */
  close(): Promise<void>;
};

/** A model on loopback that does what the script says. */
export async function startMockLlm(script: Script): Promise<MockLlm> {
  const turns: Turn[] = [];
  const requests: MockLlm["requests"][number][] = [];
  /** Actions that follow a call which the kit has added, by the id of that call. */
  const delayed = new Map<string, readonly Action[]>();
  const failures: unknown[] = [];
  let number = 0;
  let answers = 0;

  async function actionsFor(dialect: Dialect, conversation: Conversation) {
    // A request without tools asks for a title or the like.
    if (conversation.offered.length === 0) return [{ say: "A title" }];
    const last = conversation.calls.at(-1);
    const waiting = last && delayed.get(last.id);
    if (last && waiting) {
      delayed.delete(last.id);
      return waiting;
    }
    const turn = turnOf(dialect, conversation);
    turns.push(turn);
    return script(turn);
  }

  function callsFor(dialect: Dialect, conversation: Conversation, actions: readonly Action[]) {
    const acting = actions.flatMap((each) => ("say" in each || "fail" in each ? [] : [each]));
    const made = acting.map((each) => dialect.callFor(each, conversation));
    const hidden = made.find(({ isHidden }) => isHidden);
    if (!hidden)
      return made.map((call, index) => ({ ...call, id: `${CALL_ID}${number}_${index}` }));
    const id = `${HIDDEN_ID}${number}`;
    delayed.set(id, acting);
    return [{ ...hidden, id }];
  }

  async function answer(dialect: Dialect, path: string, raw: unknown, response: ServerResponse) {
    const conversation = dialect.read(raw, path);
    const actions = await actionsFor(dialect, conversation);
    number += 1;
    const failing = actions.find((each) => "fail" in each);
    const fault = failing?.fail;
    if (fault !== undefined && fault !== "cut") {
      const { status, headers, body } = dialect.refusal(fault, failing?.resetsAt ?? RESETS_AT);
      sendJson(response, status, body, headers);
      return;
    }
    const text = fault === "cut" ? "Half an answer" : textOf(actions);
    const calls: readonly OwnCall[] = callsFor(dialect, conversation, actions);
    const reply = { number, model: conversation.model, text, calls };
    if (!isStreamed(raw, path)) {
      sendJson(response, 200, dialect.whole(reply));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const frames = dialect.frames(reply);
    if (fault !== "cut") {
      if (conversation.offered.length > 0) answers += 1;
      response.end(frames.join(""));
      return;
    }
    response.write(frames.slice(0, Math.ceil(frames.length / 2)).join(""));
    // The client must have read the first half, or it sees a refused connection.
    await sleep(100);
    response.destroy();
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url ?? "/", "http://mock").pathname;
    const raw: unknown = await bodyOf(request);
    const dialect = DIALECTS.find((each) => request.method === "POST" && each.serves(path));
    requests.push({ cli: dialect?.cli ?? null, path, body: raw });
    if (dialect) return answer(dialect, path, raw, response);
    if (path.endsWith("count_tokens")) return sendJson(response, 200, { input_tokens: 10 });
    if (path.endsWith(":countTokens")) return sendJson(response, 200, { totalTokens: 10 });
    return sendJson(response, 404, { error: { message: `The mock LLM has no ${path}.` } });
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(error) } });
      failures.push(error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    turns,
    requests,
    get answers() {
      return answers;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (failures.length > 0) throw new Error("The mock LLM failed.", { cause: failures[0] });
    },
  };
}

function turnOf(dialect: Dialect, { calls, offered, ...rest }: Conversation): Turn {
  return {
    ...rest,
    cli: dialect.cli,
    tools: offered.flatMap(({ name, namespace }) => {
      const plain = plainName(namespace ? `${namespace}__${name}` : name);
      return plain === undefined ? [] : [plain];
    }),
    results: calls
      .filter(({ id }) => !id.startsWith(HIDDEN_ID))
      .map(({ name, input, answer }) => ({ tool: normalName(dialect, name, input), text: answer })),
  };
}

function normalName({ tools }: Dialect, name: string, input: unknown): string {
  if (name === tools.shell) return "shell";
  // Codex has one tool for both.
  const isEdit = name === tools.edit && (tools.edit !== tools.write || isUpdate(input));
  if (isEdit) return "edit";
  return name === tools.write ? "write" : (plainName(name) ?? name);
}

const isUpdate = (input: unknown) => String(input).includes("*** Update File:");

const textOf = (actions: readonly Action[]) =>
  actions.flatMap((each) => ("say" in each ? [each.say] : [])).join("\n");

const streamed = z.looseObject({ stream: z.boolean().default(false) }).catch({ stream: false });

function isStreamed(raw: unknown, path: string): boolean {
  return path.endsWith(":streamGenerateContent") || streamed.parse(raw).stream;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const bytes = await buffer(request);
  const encoding = request.headers["content-encoding"];
  const plain =
    encoding === "zstd"
      ? zstdDecompressSync(bytes)
      : encoding === "gzip"
        ? gunzipSync(bytes)
        : bytes;
  return plain.length === 0 ? null : JSON.parse(plain.toString("utf8"));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
