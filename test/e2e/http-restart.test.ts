import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  until,
  type Daemon,
  type TestClient,
} from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";

/** A daemon whose successor has the same address. */
async function aPlaceWithPort() {
  return aPlace({ KUROMAJUTSU_PORT: String(await aFreePort()), KUROMAJUTSU_LOG_LEVEL: "debug" });
}

/** An agent that runs until it is stopped. */
async function aHangingAgent(client: TestClient): Promise<string[]> {
  return runAll(client, await aGroup(client), [{ prompt: "#rehearsal hang" }]);
}

async function waiting(daemon: Daemon, era: "legacy" | "modern") {
  const client = await anHttpClient(daemon.url, { era });
  const agentIds = await aHangingAgent(client);
  const answer = client.call("wait_agent", { agentIds, maxBlock_ms: 45_000 });
  // The call has reached the daemon when a later one is answered.
  await client.call("list_roles");
  return { client, agentIds, answer };
}

test.each(["legacy", "modern"] as const)(
  "%s: a call over HTTP is answered when the daemon stops, and the next daemon serves the client",
  async (era) => {
    const place = await aPlaceWithPort();
    const first = await aDaemon(place);
    const { client, agentIds, answer } = await waiting(first, era);

    await first.kill("SIGTERM");

    expect(await answer).toMatchObject({ code: "DAEMON_RESTARTED" });
    await aDaemon(place);
    const wait = { agentIds, maxBlock_ms: 100 };
    expect(await client.call("wait_agent", wait)).toMatchObject({ pending: agentIds });
  },
);

test("a call over HTTP that a killed daemon left open is answered by the next daemon", async () => {
  const place = await aPlaceWithPort();
  const first = await aDaemon(place);
  const { client, agentIds, answer } = await waiting(first, "legacy");

  await first.kill("SIGKILL");
  await aDaemon(place);

  expect(await answer).toMatchObject({ code: "DAEMON_RESTARTED" });
  const wait = { agentIds, maxBlock_ms: 100 };
  expect(await client.call("wait_agent", wait)).toMatchObject({ pending: agentIds });
});

test("a client of an older protocol gets an event id with data, and its answer from the next daemon", async () => {
  const place = await aPlaceWithPort();
  const first = await aDaemon(place);
  const agentIds = await aHangingAgent(await anHttpClient(first.url));
  const session = await anOldSession(first);
  const read = session.events(
    await session.post({
      id: "call-ü",
      method: "tools/call",
      params: { name: "wait_agent", arguments: { agentIds }, _meta: { progressToken: 7 } },
    }),
  );
  await until(() => read().length > 0);
  await first.kill("SIGKILL");
  const [primer = ""] = read();
  expect(dataOf(primer)).toMatchObject({
    method: "notifications/progress",
    params: { progressToken: 7, progress: 0 },
  });

  await aDaemon(place);
  const answer = await session.get(/^id: (.+)$/m.exec(primer)?.[1] ?? "");

  expect(dataOf(await answer.text())).toMatchObject({
    id: "call-ü",
    result: { isError: true, content: [{ text: expect.stringContaining("DAEMON_RESTARTED") }] },
  });
});

function dataOf(event: string): unknown {
  return JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? "null");
}

/** A client of 2025-06-18 that sends no protocol version after `initialize`. */
async function anOldSession({ url }: Daemon) {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (message: object) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const clientInfo = { name: "old", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const hello = await post({ id: 1, method: "initialize", params });
  await hello.text();
  headers["mcp-session-id"] = z.string().parse(hello.headers.get("mcp-session-id"));
  await post({ method: "notifications/initialized" });
  return {
    post,
    get: (lastEventId: string) =>
      fetch(`${url}/mcp`, { headers: { ...headers, "last-event-id": lastEventId } }),
    /** The events that have arrived so far. */
    events(response: Response): () => string[] {
      let text = "";
      const decoder = new TextDecoder();
      const collect = new WritableStream<Uint8Array>({
        write: (chunk) => void (text += decoder.decode(chunk, { stream: true })),
      });
      response.body?.pipeTo(collect).catch(() => {});
      return () => text.split("\n\n").slice(0, -1);
    },
  };
}
