import { expect, test } from "vitest";
import { createConversation, unreachable } from "./conversation.ts";

const line = (message: Record<string, unknown>) => JSON.stringify({ jsonrpc: "2.0", ...message });
const initialize = line({ id: 0, method: "initialize", params: {} });
const initialized = line({ method: "notifications/initialized" });
const call = (id: number | string, params: Record<string, unknown> = {}) =>
  line({ id, method: "tools/call", params });

function aConversation() {
  const conversation = createConversation();
  conversation.fromClient(initialize);
  conversation.fromDaemon(line({ id: 0, result: {} }));
  conversation.fromClient(initialized);
  return conversation;
}

test("the handshake is replayed to a new daemon, and its second answer is dropped once", () => {
  const conversation = aConversation();

  expect(conversation.interrupted()).toEqual([]);
  expect(conversation.replay()).toEqual([initialize, initialized]);

  expect(conversation.fromDaemon(line({ id: 0, result: {} }))).toBe(false);
  expect(conversation.fromDaemon(line({ id: 0, result: {} }))).toBe(true);
});

test("a daemon that starts after an early greeting gets the handshake, and its answer is dropped", () => {
  const conversation = createConversation();
  expect(conversation.isNew()).toBe(true);

  conversation.greeted(initialize);

  expect(conversation.isNew()).toBe(false);
  expect(conversation.openRequests()).toBe(0);
  expect(conversation.replay()).toEqual([initialize]);
  expect(conversation.fromDaemon(line({ id: 0, result: {} }))).toBe(false);
});

test("a request to an unreachable daemon is answered with the reason, a notification is not", () => {
  const answers = unreachable([call(1), initialized, call("two"), "no JSON"], "The disk is full.");

  expect(answers.map((answer) => JSON.parse(answer))).toEqual([
    { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "The disk is full." } },
    { jsonrpc: "2.0", id: "two", error: { code: -32000, message: "The disk is full." } },
  ]);
});

test("a handshake that was never answered is replayed and its answer passed on", () => {
  const conversation = createConversation();
  conversation.fromClient(initialize);

  conversation.interrupted();

  expect(conversation.replay()).toEqual([initialize]);
  expect(conversation.fromDaemon(line({ id: 0, result: {} }))).toBe(true);
});

test("open tool calls are answered with DAEMON_RESTARTED as a result, other requests with an error", () => {
  const conversation = aConversation();
  conversation.fromClient(call(1));
  conversation.fromClient(
    call("two", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
  );
  conversation.fromClient(line({ id: 3, method: "tools/list" }));
  conversation.fromClient(call(4));
  conversation.fromDaemon(line({ id: 4, result: {} }));

  const answers = conversation.interrupted().map((each) => JSON.parse(each));

  expect(answers).toMatchObject([
    {
      id: 1,
      result: { isError: true, content: [{ text: expect.stringContaining("DAEMON_RESTARTED") }] },
    },
    { id: "two", result: { isError: true, resultType: "complete" } },
    { id: 3, error: { message: expect.stringContaining("DAEMON_RESTARTED") } },
  ]);
  expect(answers[0].result).not.toHaveProperty("resultType");
  expect(conversation.interrupted()).toEqual([]);
});

test("a call the client cancelled is not answered", () => {
  const conversation = aConversation();
  conversation.fromClient(call(1));
  conversation.fromClient(line({ method: "notifications/cancelled", params: { requestId: 1 } }));

  expect(conversation.interrupted()).toEqual([]);
});

test("subscriptions are opened again until they have ended", () => {
  const conversation = createConversation();
  const listen = line({ id: "s", method: "subscriptions/listen", params: {} });
  conversation.fromClient(listen);

  conversation.interrupted();
  expect(conversation.replay()).toEqual([listen]);

  conversation.fromDaemon(line({ id: "s", result: {} }));
  expect(conversation.replay()).toEqual([]);
});

test("what is no JSON-RPC passes through unharmed", () => {
  const conversation = aConversation();

  for (const odd of ["nonsense", "[]", "null", "{}", '{"id":{}}', '{"method":7}']) {
    conversation.fromClient(odd);
    expect(conversation.fromDaemon(odd)).toBe(true);
  }
  expect(conversation.openRequests()).toBe(0);
});
