/** A connection that carries whole texts in order, such as a WebSocket. */
export type Wire = {
  send(text: string): void;
  close(code: number, reason: string): void;
};

export type Handlers = Readonly<Record<string, (args: unknown) => unknown>>;

/** The other side refused, or failed; `code` is its reason for programs. */
export class PeerError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.name = "PeerError";
    this.code = code;
  }
}

export type Peer = {
  /** Resolves with the answer of the other side. Rejects when the connection ends. */
  call(name: string, args: unknown, withinMs?: number): Promise<unknown>;
  /** Expects no answer. Does nothing when the connection has ended. */
  tell(name: string, args: unknown): void;
  /** Takes a text that has arrived. */
  receive(text: string): void;
  /** The connection has ended. */
  ended(): void;
  isOpen(): boolean;
  close(code: number, reason: string): void;
};

const CALL_WITHIN_MS = 30_000;
/** A WebSocket that is closed for this reason got something that is not in the protocol. */
const BAD_MESSAGE = 1_008;

type Message =
  | { readonly call: number; readonly name: string; readonly args: unknown }
  | { readonly tell: string; readonly args: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly error: string; readonly code: string | null };

type Waiting = {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

/**
 * Calls in both directions over one connection. Messages are handled in the order of arrival. A side
 * that asks for more than `maxAtOnce` before it is answered is disconnected.
 */
export function createPeer(wire: Wire, handlers: Handlers, maxAtOnce = Infinity): Peer {
  const waiting = new Map<number, Waiting>();
  let handling = 0;
  let lastCall = 0;
  let isOpen = true;

  function post(message: Message): void {
    if (isOpen) wire.send(JSON.stringify(message));
  }

  async function answer(id: number, name: string, args: unknown): Promise<void> {
    try {
      const handler = handlers[name];
      if (!handler) throw new PeerError(`There is no call "${name}".`, "UNKNOWN_CALL");
      const value = await handler(args);
      post({ answer: id, value: value ?? null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      post({ answer: id, error: message, code: codeOf(error) });
    }
  }

  async function hear(name: string, args: unknown): Promise<void> {
    try {
      await handlers[name]?.(args);
    } catch {
      // There is no answer to send; the handler logs what matters.
    }
  }

  function handle(work: Promise<void>): void {
    handling += 1;
    if (handling > maxAtOnce) {
      wire.close(BAD_MESSAGE, "too many messages at once");
      end();
    }
    void work.finally(() => (handling -= 1));
  }

  function settle(message: Extract<Message, { answer: number }>): void {
    const call = waiting.get(message.answer);
    if (!call) return;
    waiting.delete(message.answer);
    clearTimeout(call.timer);
    if ("error" in message) call.reject(new PeerError(message.error, message.code));
    else call.resolve(message.value);
  }

  function end(): void {
    isOpen = false;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new PeerError("The connection has ended.", "DISCONNECTED"));
    }
    waiting.clear();
  }

  return {
    call(name, args, withinMs = CALL_WITHIN_MS) {
      if (!isOpen) return Promise.reject(new PeerError("Not connected.", "DISCONNECTED"));
      const id = ++lastCall;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new PeerError(`No answer to "${name}" within ${withinMs} ms.`, "TIMED_OUT"));
        }, withinMs);
        waiting.set(id, { resolve, reject, timer });
        post({ call: id, name, args });
      });
    },
    tell: (name, args) => post({ tell: name, args }),
    receive(text) {
      if (!isOpen) return;
      const message = parse(text);
      if (!message) return wire.close(BAD_MESSAGE, "not a message of this protocol");
      if ("call" in message) handle(answer(message.call, message.name, message.args));
      else if ("tell" in message) handle(hear(message.tell, message.args));
      else settle(message);
    },
    ended: end,
    isOpen: () => isOpen,
    close(code, reason) {
      wire.close(code, reason);
      end();
    },
  };
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

function parse(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  if ("call" in value) {
    return typeof value.call === "number" && "name" in value && typeof value.name === "string";
  }
  if ("tell" in value) return typeof value.tell === "string";
  if (!("answer" in value) || typeof value.answer !== "number") return false;
  return "value" in value || ("error" in value && typeof value.error === "string");
}
