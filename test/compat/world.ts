import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createLineSplitter } from "../../src/base/lines.ts";
import { isRecord } from "../../src/base/narrow.ts";
import { aDaemon, aPlace, run, until, type Daemon, type Place } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";
import { createNormalizer } from "./normalize.ts";
import { aRecorder, type Recorder } from "./recording.ts";

const NOTES_SERVER = fileURLToPath(new URL("../kit/upstream/notes-server.ts", import.meta.url));
const record = z.record(z.string(), z.unknown());
export type Json = Record<string, unknown>;

export type Ask = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is: for a body that is not JSON. */
  readonly raw?: string;
};

/** A daemon whose agents rehearse, with an upstream server, and the recorder of one scenario. */
export async function aWorld(name: string, config: Json = {}, options = { listens: false }) {
  const place = aPlace();
  writeConfig(place, config);
  const daemon = await aDaemon(place);
  return worldOf(
    place,
    daemon,
    aRecorder(name, createNormalizer({ [place.dir]: "<dir>" }, options)),
  );
}

export function writeConfig(place: Place, config: Json = {}): void {
  const notes = { command: process.execPath, args: [NOTES_SERVER, join(place.dir, "journal")] };
  const settings = {
    agent: { runner: "rehearsal" },
    healthCheck: { enabled: false },
    mcpServers: { notes },
    ...config,
  };
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(settings));
}

/** Until the upstream server has listed its tools. */
export async function upstream(world: World): Promise<void> {
  await world.waitFor("/api/gateway", (answer) => JSON.stringify(answer).includes("send_word"));
}

export type World = ReturnType<typeof worldOf<Pick<Recorder, "add">>>;

/** `nextUrl`: the server that gets the next request, if there are several. */
export function worldOf<R extends Pick<Recorder, "add">>(
  place: Place,
  daemon: Daemon,
  recorder: R,
  nextUrl = () => daemon.url,
) {
  async function send(method: string, path: string, { body, headers, raw }: Ask = {}) {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${nextUrl()}${path}`, {
      method,
      headers: {
        ...(method !== "GET" && { "x-kuromajutsu": "1" }),
        ...(content !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await response.text();
    const type = (response.headers.get("content-type") ?? "").split(";")[0];
    const answer: unknown = type?.endsWith("json") ? JSON.parse(text) : text;
    return { status: response.status, type, body: answer, headers: response.headers };
  }

  /** Asks without recording: to wait for something, or to get ids. */
  async function look(path: string): Promise<Json> {
    return record.parse((await send("GET", path)).body);
  }

  return {
    place,
    url: daemon.url,
    daemon,
    recorder,
    send,
    look,
    /** Asks and records the answer. */
    ask: async (method: string, path: string, asked: Ask = {}): Promise<Json> => {
      const { status, type, body } = await send(method, path, asked);
      const { "x-kuromajutsu-session": _session, cookie: _cookie, ...shown } = asked.headers ?? {};
      const details = { ...asked, ...(asked.headers && { headers: shown }) };
      const label = Object.keys(asked).length > 0 ? ` ${JSON.stringify(details)}` : "";
      recorder.add(`${method} ${path}${label}`, { status, type, body });
      return isRecord(body) ? body : {};
    },
    waitFor: async (path: string, isSo: (answer: Json) => boolean): Promise<Json> => {
      let seen: Json = {};
      await until(async () => isSo((seen = await look(path)))).catch((error: unknown) => {
        throw new Error(`${path} is ${JSON.stringify(seen)}`, { cause: error });
      });
      return seen;
    },
    /** Waits for the approval of this kind, and answers with it. */
    approval: async (kind: string, asked: Ask = {}): Promise<Json> => {
      const path = `/api/approvals?status=pending&kind=${kind}`;
      let found: unknown;
      await until(async () => {
        const { body } = await send("GET", path, asked);
        [found] = z.object({ approvals: z.array(z.unknown()) }).parse(body).approvals;
        return found !== undefined;
      });
      return record.parse(found);
    },
  };
}

/** A client that speaks JSON-RPC by hand, so that the recording is what goes over the wire. */
export type Rpc = (method: string, params?: Json) => Promise<Json>;
/** Connects a client with these headers. */
export type Over = (headers?: Readonly<Record<string, string>>) => Rpc;

export function overStdio(place: Place, env: Readonly<Record<string, string>> = {}): Rpc {
  const child = run({ ...place, env: { ...place.env, ...env } }, ["mcp"]);
  onTestFinished(() => void child.kill());
  const answers = new Map<unknown, Json>();
  const lines = createLineSplitter((line) => {
    const message = record.parse(JSON.parse(line));
    answers.set(message["id"], message);
  });
  child.stdout?.on("data", lines.push);
  let nextId = 1;
  return async (method, params = {}) => {
    const isNotification = method.startsWith("notifications/");
    const id = nextId++;
    const message = { jsonrpc: "2.0", ...(!isNotification && { id }), method, params };
    child.stdin?.write(`${JSON.stringify(message)}\n`);
    if (isNotification) return {};
    await until(() => answers.has(id));
    return answers.get(id) ?? {};
  };
}

export function overHttp(
  url: string | (() => string),
  headers: Readonly<Record<string, string>> = {},
): Rpc {
  let session: string | undefined;
  let nextId = 1;
  return async (method, params = {}) => {
    const isNotification = method.startsWith("notifications/");
    const response = await fetch(`${typeof url === "string" ? url : url()}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session && { "mcp-session-id": session }),
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        ...(!isNotification && { id: nextId++ }),
        method,
        params,
      }),
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return { status: response.status, ...messageIn(await response.text()) };
  };
}

/** The answer in a body that is JSON, or the last event of a stream. */
function messageIn(body: string): Json {
  const data = body.split("\n").filter((line) => line.startsWith("data: {"));
  const text = data.at(-1)?.slice("data: ".length) ?? body;
  return text.startsWith("{") ? record.parse(JSON.parse(text)) : {};
}

/** Initializes the connection and answers with a function that records calls of tools. */
export async function aRecordedClient(recorder: Pick<Recorder, "add">, who: string, rpc: Rpc) {
  const initialized = await rpc("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "compat", version: "1" },
  });
  recorder.add(`${who}: initialize`, initialized);
  await rpc("notifications/initialized");
  async function call(name: string, args: Json = {}): Promise<Json> {
    const { result, error } = await rpc("tools/call", { name, arguments: args });
    const said = isRecord(result) ? result : {};
    const structured = isRecord(said["structuredContent"])
      ? said["structuredContent"]
      : textOf(said);
    const isTwice = JSON.stringify(textOf(said)) === JSON.stringify(said["structuredContent"]);
    recorder.add(`${who}: ${name} ${JSON.stringify(args)}`, {
      ...(error !== undefined && { error }),
      ...(said["isError"] !== undefined && { isError: said["isError"] }),
      textIsTheSame: isTwice,
      answer: structured,
    });
    return structured;
  }
  return {
    call,
    list: async () => recorder.add(`${who}: tools/list`, await rpc("tools/list")),
  };
}

export type RecordedClient = Awaited<ReturnType<typeof aRecordedClient>>;

/** The last text block, which is JSON; an answer with a notification has one before it. */
function textOf(result: Json): Json {
  const content = z
    .array(z.looseObject({ text: z.string().default("{}") }))
    .safeParse(result["content"]);
  const text = content.data?.at(-1)?.text ?? "{}";
  return text.startsWith("{") ? record.parse(JSON.parse(text)) : { text };
}

export function tokenOf(agentId: string): string {
  const name = "KUROMAJUTSU_AGENT_TOKEN=";
  const [token] = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`)
    .flatMap(({ environment }) => environment)
    .filter((entry) => entry.startsWith(name));
  if (!token) throw new Error(`no process of ${agentId}`);
  return token.slice(name.length);
}

export const idIn = (answer: Json, key: string): string => z.string().parse(answer[key]);

export function agentIdsIn(answer: Json): string[] {
  return z
    .array(z.object({ agentId: z.string() }))
    .parse(answer["agents"])
    .map((each) => each.agentId);
}
