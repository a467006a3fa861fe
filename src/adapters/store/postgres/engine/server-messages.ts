import { z } from "zod";
import type { ServerMessage, ServerMessages } from "../../../../app/ports/server-messages.ts";
import type { Log } from "../../../../app/ports/world.ts";
import { RUNNER_IDS } from "../../../../domain/agents/runner.ts";
import { createOutbox } from "./notify-outbox.ts";

const progressShape = z.object({
  progress: z.number(),
  total: z.number().exactOptional(),
  message: z.string().exactOptional(),
});
const hostShape = z.object({
  id: z.string(),
  hasDirectory: z.boolean(),
  runners: z.array(z.enum(RUNNER_IDS)).exactOptional(),
  unusable: z.array(z.enum(RUNNER_IDS)).exactOptional(),
});
const messageShape = z.discriminatedUnion("type", [
  z.object({ type: z.literal("call_progress"), callId: z.string(), progress: progressShape }),
  z.object({ type: z.literal("cancel_call"), callId: z.string(), from: z.string() }),
  z.object({ type: z.literal("find_directory"), questionId: z.string(), path: z.string() }),
  z.object({
    type: z.literal("directory_answer"),
    questionId: z.string(),
    hosts: z.array(hostShape),
  }),
]) satisfies z.ZodType<ServerMessage>;
const payloadShape = z.array(z.unknown());

export type ServerMessageBox = ServerMessages & {
  /** Passes the messages of a payload to the subscribers. Throws if the payload is not one of ours. */
  receive(payload: string): void;
  close(): void;
};

export function createServerMessages(
  send: (payloads: readonly string[]) => void,
  log: Pick<Log, "error"> | undefined,
): ServerMessageBox {
  const listeners = new Set<(message: ServerMessage) => void>();
  const outbox = createOutbox<ServerMessage>({
    // Parts of an answer do not replace each other.
    keyOf: (message) => ("callId" in message ? `${message.type} ${message.callId}` : message),
    send,
  });
  function pass(message: ServerMessage): void {
    for (const listener of listeners) {
      try {
        listener(message);
      } catch (error) {
        // A bug of one subscriber must not hide the message from the others.
        log?.error("A message of another server could not be handled.", {
          type: message.type,
          ...("callId" in message && { callId: message.callId }),
          error: String(error),
        });
      }
    }
  }
  return {
    send: (message) => outbox.add(message),
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    receive(payload) {
      for (const each of payloadShape.parse(JSON.parse(payload))) {
        // A server of a later version may send types that this one does not know.
        const message = messageShape.safeParse(each).data;
        if (message) pass(message);
      }
    },
    close: () => outbox.close(),
  };
}
