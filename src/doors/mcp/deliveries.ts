import type { OnDelivery } from "../../app/gateway/gateway-call.ts";

/** Whether the answer to one request reached its connection. */
export type Delivery = {
  readonly onDelivery: OnDelivery;
  settle(isDelivered: boolean): void;
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
