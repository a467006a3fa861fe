import type { Duplex } from "node:stream";
import type { RequestId, ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { OnDelivery } from "../../app/gateway/gateway-call.ts";
import { createDelivery, type Delivery } from "./deliveries.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";

export type OpenTransport = {
  /** Absent: whether an answer arrives is not followed. */
  readonly hasArrived?: (() => Promise<boolean>) | undefined;
};

/** A transport over a byte stream that can say of each answer whether it was sent before the end. */
export function openTransport(stream: Duplex, { hasArrived }: OpenTransport) {
  const transport = new StdioServerTransport(stream, stream, { maxBufferSize: MAX_MESSAGE_BYTES });
  const onDelivery = hasArrived && followAnswers(transport, stream, hasArrived);
  return { transport, onDelivery };
}

function followAnswers(
  transport: StdioServerTransport,
  stream: Duplex,
  hasArrived: () => Promise<boolean>,
): (context: ServerContext) => OnDelivery {
  const open = new Map<RequestId, Delivery>();
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("id" in message) || message.id === undefined || "method" in message) return;
    const delivery = open.get(message.id);
    open.delete(message.id);
    if (delivery) void hasArrived().then(delivery.settle);
  };
  stream.once("close", () => {
    for (const { settle } of open.values()) settle(false);
    open.clear();
  });
  return ({ mcpReq: { id } }) =>
    (note) => {
      if (stream.destroyed) return note(false);
      const delivery = createDelivery();
      delivery.onDelivery(note);
      open.set(id, delivery);
    };
}
