import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createLineSplitter } from "../../base/lines.ts";
import type { McpHello } from "../../contract/hello.ts";
import { type Conversation, unreachable } from "./conversation.ts";
import { dropCancelled, isReport, takeUnserved } from "./held-lines.ts";

/** How long a client that closed its input still gets answers to open requests. */
const LAST_ANSWERS_MS = 5_000;
/** Requests that no daemon serves for this long are answered with an error. */
export const MAX_UNSERVED_MS = 60_000;
const UNSERVED =
  "The Kuromajutsu daemon has served no connection for a minute: it has too many clients, or it refuses this one. Nothing was sent. Call again later; `kuromajutsu status` and the daemon's log say more.";

export type ClientSideOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly hello: McpHello;
  /** The answer that a starting daemon will give to this line, if it is known. */
  readonly earlyHello: (line: string) => string | undefined;
  /** Limits the wait after the client closed its input; does not keep the process alive. */
  readonly lastWait?: (ms: number) => Promise<void>;
};

export type ClientSide = ReturnType<typeof createClientSide>;

/** The client's end of the pipe: holds its lines until a daemon takes them, or answers them. */
export function createClientSide(options: ClientSideOptions, conversation: Conversation) {
  const { input, output, hello, earlyHello, lastWait = sleepUnref } = options;
  const held: string[] = [];
  const isAgent = hello.token !== null;
  let inputEnded = false;
  let wake: (() => void) | undefined;
  /** Sends held lines; set while there is a connection. */
  let send: (() => void) | undefined;
  /** Only the first answer of a daemon that we start is known in advance. */
  let mayGreet = false;
  /** `initialize` was answered for a daemon that does not run yet. */
  let isPromised = false;

  function answer(lines: readonly string[]): void {
    for (const line of lines) output.write(`${line}\n`);
  }

  function greet(): void {
    const [first] = held;
    const early = mayGreet && first !== undefined ? earlyHello(first) : undefined;
    if (first === undefined || early === undefined) return;
    mayGreet = false;
    isPromised = true;
    held.shift();
    conversation.greeted(first);
    answer([early]);
  }

  function onLine(line: string): void {
    if (dropCancelled(held, line)) return wake?.();
    held.push(line);
    if (send) return send();
    greet();
    wake?.();
  }

  function giveUp(): void {
    const hellos = isAgent ? [] : conversation.abandonHello();
    answer(unreachable([...hellos, ...takeUnserved(held, isAgent)], UNSERVED));
    // The rest needs no daemon: the client will send nothing more.
    if (inputEnded && !held.some(isReport)) held.length = 0;
    wake?.();
  }

  function endInput(): void {
    inputEnded = true;
    wake?.();
    if (held.length > 0) void lastWait(MAX_UNSERVED_MS).then(giveUp);
  }

  input.on("data", createLineSplitter(onLine).push);
  input.once("end", endInput);
  output.on("error", endInput);

  const isDone = (): boolean => inputEnded && held.length === 0 && !isPromised;
  /** A request waits that can be answered with why there is no daemon. */
  const isAsking = (): boolean => inputEnded || unreachable(held, "").length > 0;
  const nextQuestion = async (): Promise<void> => {
    while (!isAsking()) await new Promise<void>((resolve) => (wake = resolve));
  };

  return {
    held,
    answer,
    giveUp,
    isDone,
    isHeld: (): boolean => held.length > 0 || conversation.openRequests() > 0,
    daemonStarts(): void {
      mayGreet = conversation.isNew();
      greet();
    },
    /** Answers the held requests with the reason; waits for one if `initialize` was answered. */
    async daemonFailed(error: unknown): Promise<void> {
      if (isPromised) await nextQuestion();
      answer(unreachable(held, error instanceof Error ? error.message : String(error)));
    },
    /** Sends held lines through a connection; undefined: it was closed. */
    attach(flush: (() => void) | undefined): void {
      send = flush;
      mayGreet = false;
      isPromised = false;
    },
    /** Checks whether the client has left; for every line of the daemon. */
    answered: () => inputEnded && wake?.(),
    /** Resolves once the client has closed its input and has its answers, or the time is up. */
    left: () =>
      new Promise<true>((resolve) => {
        wake = () => {
          if (!isDone()) return;
          if (conversation.openRequests() === 0) resolve(true);
          else setTimeout(() => resolve(true), LAST_ANSWERS_MS).unref();
        };
        wake();
      }),
  };
}

function sleepUnref(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
