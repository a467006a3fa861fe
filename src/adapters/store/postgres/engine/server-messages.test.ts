import { expect, test } from "vitest";
import type { ServerMessage } from "../../../../app/ports/server-messages.ts";
import { createServerMessages } from "./server-messages.ts";

test("a subscriber that throws hides a message of another server neither from the others nor from the log", () => {
  const errors: object[] = [];
  const log = { error: (_message: string, fields: object = {}) => void errors.push(fields) };
  const messages = createServerMessages(() => {}, log);
  const seen: ServerMessage[] = [];
  messages.on(() => {
    throw new Error("broken");
  });
  messages.on((message) => void seen.push(message));
  const sent = ["call-1", "call-2"].map((callId) => ({ type: "cancel_call", callId, from: "a" }));

  messages.receive(JSON.stringify(sent));

  expect(seen).toEqual(sent);
  expect(errors).toEqual(
    sent.map(({ type, callId }) => ({ type, callId, error: "Error: broken" })),
  );
});
