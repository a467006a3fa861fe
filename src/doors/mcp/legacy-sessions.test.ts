import { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { anAgent, aGroup } from "../../../test/kit/builders.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../test/kit/people.ts";
import { systemTokens } from "../../adapters/world.ts";
import type { McpSessionRow, SharedState } from "../../app/ports/shared-state.ts";
import { createLegacySessions } from "./legacy-sessions.ts";

const URL_OF_MCP = "http://127.0.0.1/mcp";
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const clientInfo = { name: "t", version: "1" };
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params };
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };

function someSessions(shared?: SharedState) {
  /** In the order in which they were opened; true once closed. */
  const servers: boolean[] = [];
  const made: Server[] = [];
  function make(): Server {
    const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
    const index = servers.push(false) - 1;
    made.push(server);
    server.onclose = () => (servers[index] = true);
    server.setRequestHandler("tools/list", () => new Promise(() => {}));
    return server;
  }
  const sessions = createLegacySessions({ makeServer: make, onerror: () => {}, shared });
  onTestFinished(() => sessions.close());

  async function post(owner: string, message: unknown, id?: string): Promise<Response> {
    const headers = { ...HEADERS, ...(id !== undefined && { "mcp-session-id": id }) };
    const body = JSON.stringify(message);
    const request = new Request(URL_OF_MCP, { method: "POST", headers, body });
    const response = await sessions.fetch(request, message, owner);
    await response.text();
    return response;
  }
  return {
    count: sessions.count,
    post,
    clientNames: () => made.map((server) => server.getClientVersion()?.name),
    end: (owner: string, id: string): Promise<Response> => {
      const headers = { ...HEADERS, "mcp-session-id": id };
      const request = new Request(URL_OF_MCP, { method: "DELETE", headers });
      return sessions.fetch(request, undefined, owner);
    },
    open: async (owner: string): Promise<string> =>
      (await post(owner, INITIALIZE)).headers.get("mcp-session-id") ?? "",
    /** The stream of messages from the server; it stays open. */
    stream: async (owner: string, id: string): Promise<Response> => {
      const headers = { ...HEADERS, "mcp-session-id": id };
      return sessions.fetch(new Request(URL_OF_MCP, { headers }), undefined, owner);
    },
    /** A request that is never answered. */
    call: (owner: string, id: string) =>
      post(owner, { jsonrpc: "2.0", id: 3, method: "tools/list" }, id),
    dropped: () => servers.flatMap((isClosed, index) => (isClosed ? [index] : [])),
  };
}

test("sessions with an open stream are bounded too", async () => {
  const { open, stream, count } = someSessions();

  for (let n = 0; n < 300; n++) await stream("client", await open("client"));

  expect(count()).toBe(200);
});

test("the owner with the most sessions loses its longest unused one; other owners keep theirs", async () => {
  const { open, stream, count, dropped } = someSessions();
  await open("person:ben");
  await stream("agent:a", await open("agent:a"));

  for (let n = 0; n < 400; n++) await stream("person:greedy", await open("person:greedy"));

  expect(count()).toBe(200);
  expect(dropped()).toEqual(Array.from({ length: 202 }, (_, index) => index + 2));
});

test("an idle session goes before one that listens, and that before one that waits for an answer", async () => {
  const { open, stream, call, dropped } = someSessions();
  void call("client", await open("client"));
  await stream("client", await open("client"));

  for (let n = 0; n < 199; n++) await open("client");
  expect(dropped()).toEqual([2]);
  for (let n = 0; n < 198; n++) void call("client", await open("client"));
  await stream("client", await open("client"));

  expect(dropped()).toContain(1);
  expect(dropped()).not.toContain(0);
});

test("only its owner can send on a session, open its stream or end it", async () => {
  const core = await aCoreWithPeople({ ben: "operator", aoi: "admin" });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    const tokenHash = systemTokens.hash("agent-token");
    await unit.insertAgent(anAgent({ tokenHash, process: "alive", status: "running" }), "x");
  });
  const { url } = await anHttpDoor(core);
  const send = async (token: string, method: string, id?: string, message?: unknown) => {
    const response = await fetch(`${url}/mcp`, {
      method,
      headers: {
        ...HEADERS,
        authorization: `Bearer ${token}`,
        ...(id !== undefined && { "mcp-session-id": id }),
      },
      ...(message !== undefined && { body: JSON.stringify(message) }),
    });
    const isStream = method === "GET" && response.ok;
    await (isStream ? response.body?.cancel() : response.text());
    return response;
  };
  const opened = await send(tokenOf("ben"), "POST", undefined, INITIALIZE);
  const id = opened.headers.get("mcp-session-id") ?? "";

  for (const stranger of ["agent-token", tokenOf("aoi")]) {
    expect((await send(stranger, "POST", id, PING)).status).toBe(404);
    expect((await send(stranger, "GET", id)).status).toBe(404);
    expect((await send(stranger, "DELETE", id)).status).toBe(404);
  }
  expect((await send(tokenOf("ben"), "POST", id, PING)).status).toBe(200);
  expect((await send(tokenOf("ben"), "GET", id)).status).toBe(200);
  expect((await send(tokenOf("ben"), "DELETE", id)).status).toBe(200);
  expect((await send(tokenOf("ben"), "POST", id, PING)).status).toBe(404);
});

/** The rows that servers share, in memory. */
function someSharedState(): SharedState {
  const rows = new Map<string, McpSessionRow>();
  return {
    getMcpSession: async (id) => rows.get(id),
    async putMcpSession(id, session) {
      rows.set(id, { ...session, isEnded: false });
    },
    async endMcpSession(id) {
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, isEnded: true });
    },
    countWrongToken: async () => 0,
    async close() {},
  };
}

test("a session that goes on at another server keeps the name of its client, its owner and its end", async () => {
  const shared = someSharedState();
  const [a, b] = [someSessions(shared), someSessions(shared)];
  const id = await a.open("client");

  expect((await b.post("client", PING, id)).status).toBe(200);
  expect(b.clientNames()).toEqual(["t"]);
  expect((await b.post("stranger", PING, id)).status).toBe(404);

  expect((await b.end("client", id)).status).toBe(200);
  expect((await a.post("client", PING, id)).status).toBe(404);
  expect(a.count()).toBe(0);
});

test("a session is ended at a server that has never seen it", async () => {
  const shared = someSharedState();
  const [a, b] = [someSessions(shared), someSessions(shared)];
  const id = await a.open("client");

  expect((await b.end("stranger", id)).status).toBe(404);
  expect((await b.end("client", id)).status).toBe(204);
  expect((await a.post("client", PING, id)).status).toBe(404);
});

const fail = () => Promise.reject(new Error("The database does not answer."));

test("a session goes on while the rows of sessions cannot be read or written", async () => {
  const { open, post, end } = someSessions({
    getMcpSession: fail,
    putMcpSession: fail,
    endMcpSession: fail,
    countWrongToken: fail,
    close: fail,
  });

  const id = await open("client");

  expect((await post("client", PING, id)).status).toBe(200);
  expect((await post("client", PING, "of-another-server")).status).toBe(200);
  expect((await end("client", id)).status).toBe(200);
});
