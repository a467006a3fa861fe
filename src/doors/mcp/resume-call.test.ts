import { setImmediate } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { createLegacySessions } from "./legacy-sessions.ts";

const URL_OF_MCP = "http://127.0.0.1/mcp";
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const clientInfo = { name: "t", version: "1" };

/** A session with one tool, which answers when `finish` is called. */
async function aSession(protocolVersion = "2025-11-25") {
  const finishing: ((text: string) => void)[] = [];
  function make(): Server {
    const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", async () => {
      const text = await new Promise<string>((resolve) => finishing.push(resolve));
      return { content: [{ type: "text", text }] };
    });
    return server;
  }
  const sessions = createLegacySessions({ makeServer: make, onerror: () => {} });
  onTestFinished(() => sessions.close());
  const fetch = (init: RequestInit, message: unknown, owner = "client") =>
    sessions.fetch(new Request(URL_OF_MCP, init), message, owner);
  const post = (message: object, headers: Record<string, string>) =>
    fetch({ method: "POST", headers, body: JSON.stringify(message) }, message);

  const params = { protocolVersion, capabilities: {}, clientInfo };
  const hello = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params }, HEADERS);
  const headers = { ...HEADERS, "mcp-session-id": hello.headers.get("mcp-session-id") ?? "" };
  return {
    call: (id: number, method = "tools/call", _meta = {}) =>
      post({ jsonrpc: "2.0", id, method, params: { name: "x", _meta } }, headers),
    resume: (eventId: string, owner = "client") =>
      fetch({ headers: { ...headers, "last-event-id": eventId } }, undefined, owner),
    finish: async (text: string) => {
      await expect.poll(() => finishing.length).toBeGreaterThan(0);
      finishing.shift()?.(text);
    },
  };
}

/** Reads the first event of a stream, then cuts the connection. */
async function cutAfterFirst(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(chunk?.value);
}

const idIn = (event: string): string => /^id: (.+)$/m.exec(event)?.[1] ?? "";

test("a client whose connection was cut receives the answer on a new one", async () => {
  const { call, resume, finish } = await aSession();
  const eventId = idIn(await cutAfterFirst(await call(1)));

  await (await resume(eventId)).body?.cancel();
  await finish("late");
  await setImmediate();

  expect(await (await resume(eventId)).text()).toContain('"text":"late"');
});

test("a client that asks again for a stream that it has received is refused with 405, which ends it", async () => {
  const { call, resume, finish } = await aSession();
  const response = await call(1);
  await finish("soon");
  const text = await response.text();

  expect(text).toContain('"text":"soon"');
  expect((await resume(idIn(text))).status).toBe(405);
});

test("another identity cannot receive the answer", async () => {
  const { call, resume } = await aSession();
  const eventId = idIn(await cutAfterFirst(await call(1)));

  expect((await resume(eventId, "person:eve")).status).toBe(404);
});

test("a session keeps the answers of only the last ten connections that were cut", async () => {
  const { call, resume } = await aSession();
  const ids: string[] = [];
  for (let id = 1; id <= 12; id++) ids.push(idIn(await cutAfterFirst(await call(id))));

  const statuses = await Promise.all(ids.map(async (id) => (await resume(id)).status));

  expect(statuses).toEqual([405, 405, ...Array.from({ length: 10 }, () => 200)]);
});

test("an older client that asked for no progress gets no event id, because it cannot read one", async () => {
  const { call, finish } = await aSession("2025-06-18");
  const response = await call(1);
  await finish("plain");

  expect(await response.text()).not.toContain("id: ");
});

test("an event id that is not ours opens the stream of the session", async () => {
  const { resume } = await aSession();

  const response = await resume("whatever");

  expect(response.status).toBe(200);
  await response.body?.cancel();
});
