import type { Core, Identity } from "../../app/core.ts";
import type { OnDelivery } from "../../app/gateway/gateway-call.ts";
import { bodyOf, restOf } from "./resumable-stream.ts";

/** Whether the answer to one request reached its connection. */
export type Delivery = {
  readonly onDelivery: OnDelivery;
  readonly settle: (isDelivered: boolean) => void;
};

export function createDelivery(): Delivery {
  const listeners: ((isDelivered: boolean) => void)[] = [];
  let last: boolean | undefined;
  return {
    onDelivery(note) {
      listeners.push(note);
      // The connection was cut before there was an answer.
      if (last === false) note(last);
    },
    settle(isDelivered) {
      last = isDelivered;
      for (const note of listeners) note(isDelivered);
    },
  };
}

/** The answers to requests over HTTP; only where another server must know whether an agent got one. */
export function createDeliveries({ calls }: Pick<Core, "calls">) {
  const deliveries = new WeakMap<Request, Delivery>();
  return {
    begin(request: Request, { kind }: Identity): Delivery | undefined {
      if (calls.serverId === null || kind !== "agent") return undefined;
      const delivery = createDelivery();
      deliveries.set(request, delivery);
      return delivery;
    },
    onDelivery: (request: Request | undefined): OnDelivery | undefined =>
      request && deliveries.get(request)?.onDelivery,
  };
}

/** The same response; `delivery` learns whether it was sent. */
export function followResponse(response: Response, delivery: Delivery | undefined): Response {
  if (!response.body || !delivery) return response;
  const rest = restOf(response.body, delivery.settle);
  return new Response(bodyOf(rest, { done() {}, cut: (reason) => rest.cancel(reason) }), response);
}
