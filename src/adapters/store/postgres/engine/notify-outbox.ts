/** PostgreSQL refuses payloads of 8000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
const GATHER_MS = 50;

export type Outbox<Item> = { add(item: Item): void; close(): void };

export type OutboxOptions<Item> = {
  /** An item replaces one with the same key that still waits. */
  readonly keyOf: (item: Item) => unknown;
  readonly merge?: (before: Item, next: Item) => Item;
  readonly send: (payloads: readonly string[]) => void;
};

/** Collects items and sends them together, so that many of them cost few notifications. */
export function createOutbox<Item extends object>(options: OutboxOptions<Item>): Outbox<Item> {
  const { keyOf, merge = (_before, next) => next, send } = options;
  const waiting = new Map<unknown, Item>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const payloads = toPayloads([...waiting.values()]);
    waiting.clear();
    if (payloads.length > 0) send(payloads);
  }
  return {
    add(item) {
      const key = keyOf(item);
      const before = waiting.get(key);
      waiting.set(key, before ? merge(before, item) : item);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** As few payloads as possible. An item that fits into none is left out. */
export function toPayloads(items: readonly object[]): readonly string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const item of items) {
    const part = JSON.stringify(item);
    const size = Buffer.byteLength(part) + 1;
    if (size + 2 > MAX_PAYLOAD_BYTES) continue;
    if (bytes + size > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${parts.join(",")}]`);
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += size;
  }
  if (parts.length > 0) payloads.push(`[${parts.join(",")}]`);
  return payloads;
}
