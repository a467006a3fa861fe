import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createLineSplitter } from "../../base/lines.ts";
import type { McpHello } from "../../contract/hello.ts";
import { createConversation, isInitialize, unreachable } from "./conversation.ts";
import { dropCancelled, isReport, takeUnserved } from "./held-lines.ts";

/** How long a client that closed its input still gets answers to open requests. */
const LAST_ANSWERS_MS = 5_000;
/** Back-off after a connection that the daemon closed unserved, because it has too many. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Requests that no daemon serves for this long are answered with an error. */
const MOST_UNSERVED_MS = 60_000;
const UNSERVED =
  "The Kuromajutsu daemon has served no connection for a minute: it has too many clients, or it refuses this one. Nothing was sent. Call again later; `kuromajutsu status` and the daemon's log say more.";

/**
 * start: start a daemon if none runs. wait: only use one that runs, so that a daemon that was stopped
 * on purpose stays stopped until the client sends something. nothing: the client has disconnected.
 */
export type Wanted = "start" | "wait" | "nothing";

export type PipeOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly hello: McpHello;
  /**
   * Connects to the daemon, polls `wanted` meanwhile and calls `onStarting` when it has to start one.
   * Rejects if no daemon can be reached.
   */
  readonly connect: (wanted: () => Wanted, onStarting: () => void) => Promise<Socket | undefined>;
  /** The answer that a starting daemon will give to this line, if it is known. */
  readonly earlyHello: (line: string) => string | undefined;
  readonly pause?: (ms: number) => Promise<void>;
  /** Limits the wait after the client closed its input; does not keep the process alive. */
  readonly lastWait?: (ms: number) => Promise<void>;
};

/**
 * Pipes lines between a client and the daemon, and reconnects when the daemon is replaced. Resolves
 * when the client has disconnected, rejects when no daemon can be reached.
 */
export async function runPipe(options: PipeOptions): Promise<void> {
  const {
    input,
    output,
    hello,
    connect,
    earlyHello,
    pause = (ms) => sleep(ms),
    lastWait = (ms) => sleep(ms, undefined, { ref: false }),
  } = options;
  const conversation = createConversation();
  const waiting: string[] = [];
  let socket: Socket | undefined;
  /**
   * The kernel accepts connections for a killed daemon until its listener is closed, and a call sent
   * into one would be lost. So calls are held until the daemon has answered a first request: `asked`,
   * then `proved`.
   */
  let life: "unasked" | "asked" | "proved" = "unasked";
  let inputEnded = false;
  let wake: (() => void) | undefined;
  /** Only the first answer of a daemon that we start is known in advance. */
  let mayGreet = false;
  /** `initialize` was answered for a daemon that does not run yet. */
  let isPromised = false;

  const greet = (): void => {
    const [first] = waiting;
    const answer = mayGreet && first !== undefined ? earlyHello(first) : undefined;
    if (first === undefined || answer === undefined) return;
    mayGreet = false;
    isPromised = true;
    waiting.shift();
    conversation.greeted(first);
    output.write(`${answer}\n`);
  };
  const pass = (line: string, target: Socket): void => {
    conversation.fromClient(line);
    if (!target.write(`${line}\n`)) pauseUntilDrained(input, target);
  };
  /** Sends a probe; false if the client has sent nothing to build one from. */
  const askForLife = (target: Socket, first: string): boolean => {
    // Sending a handshake twice is safe: unanswered, it is replayed to the next daemon.
    if (isInitialize(first)) {
      waiting.shift();
      pass(first, target);
      return true;
    }
    const probe = conversation.probe(waiting);
    if (probe !== undefined) target.write(`${probe}\n`);
    return probe !== undefined;
  };
  const flush = (target: Socket): void => {
    const [first] = waiting;
    if (first === undefined) return;
    if (life === "unasked") life = askForLife(target, first) ? "asked" : "proved";
    if (life === "proved") for (const line of waiting.splice(0)) pass(line, target);
  };
  const sendUp = (line: string): void => {
    if (dropCancelled(waiting, line)) return wake?.();
    waiting.push(line);
    if (socket) return flush(socket);
    greet();
    wake?.();
  };
  const isAgent = hello.token !== null;
  const giveUp = (): void => {
    const hellos = isAgent ? [] : conversation.abandonHello();
    const lines = [...hellos, ...takeUnserved(waiting, isAgent)];
    for (const answer of unreachable(lines, UNSERVED)) output.write(`${answer}\n`);
    // The rest needs no daemon: the client will send nothing more.
    if (inputEnded && !waiting.some(isReport)) waiting.length = 0;
    wake?.();
  };
  const endInput = (): void => {
    inputEnded = true;
    wake?.();
    if (waiting.length > 0) void lastWait(MOST_UNSERVED_MS).then(giveUp);
  };
  input.on("data", createLineSplitter(sendUp).push);
  input.once("end", endInput);
  output.on("error", endInput);

  const isHeld = (): boolean => waiting.length > 0 || conversation.openRequests() > 0;
  const isDone = (): boolean => inputEnded && waiting.length === 0 && !isPromised;
  /** A request waits that can be answered with why there is no daemon. */
  const isAsking = (): boolean => inputEnded || unreachable(waiting, "").length > 0;
  const nextQuestion = async (): Promise<void> => {
    while (!isAsking()) await new Promise<void>((resolve) => (wake = resolve));
  };
  let pauseMs = FIRST_PAUSE_MS;
  /** The sum of the pauses; unlike the clock it cannot jump. */
  let unservedMs = 0;
  for (let isFirst = true; ; isFirst = false) {
    let hasStarted = false;
    const wanted = (): Wanted => {
      if (isDone()) return "nothing";
      // An `initialize` that no daemon has answered also needs one.
      return isFirst || isHeld() ? "start" : "wait";
    };
    const onStarting = (): void => {
      hasStarted = true;
      if (!isFirst) return;
      mayGreet = conversation.isNew();
      greet();
    };
    const connected = await connect(wanted, onStarting).catch(async (error: unknown) => {
      if (isPromised) await nextQuestion();
      const why = error instanceof Error ? error.message : String(error);
      for (const answer of unreachable(waiting, why)) output.write(`${answer}\n`);
      throw error;
    });
    mayGreet = false;
    isPromised = false;
    if (!connected) return;
    const closed = new Promise<void>((resolve) => connected.once("close", () => resolve()));
    let isServed = false;
    const lines = createLineSplitter((line) => {
      isServed = true;
      life = "proved";
      flush(connected);
      if (conversation.fromDaemon(line) && !output.write(`${line}\n`))
        pauseUntilDrained(connected, output);
      if (inputEnded) wake?.();
    });
    connected.on("data", lines.push);
    connected.on("error", () => {});
    const replayed = conversation.replay();
    for (const line of [JSON.stringify(hello), ...replayed]) connected.write(`${line}\n`);
    socket = connected;
    // A daemon that we had to start is alive: no listener of an earlier one was left.
    if (hasStarted) life = "proved";
    else life = replayed.some(isInitialize) ? "asked" : "unasked";
    flush(connected);

    const clientLeft = new Promise<"left">((resolve) => {
      wake = () => {
        if (!isDone()) return;
        if (conversation.openRequests() === 0) resolve("left");
        else setTimeout(() => resolve("left"), LAST_ANSWERS_MS).unref();
      };
      wake();
    });
    const why = await Promise.race([closed, clientLeft]);
    socket = undefined;
    if (why === "left") {
      connected.destroy();
      return;
    }
    for (const answer of conversation.interrupted()) output.write(`${answer}\n`);
    if (isDone()) return;
    if (!isServed) await pause(pauseMs);
    unservedMs = isServed || !isHeld() ? 0 : unservedMs + pauseMs;
    if (unservedMs >= MOST_UNSERVED_MS) {
      unservedMs = 0;
      giveUp();
    }
    pauseMs = isServed ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function pauseUntilDrained(source: Readable, target: Writable): void {
  source.pause();
  const goOn = (): void => {
    target.off("drain", goOn);
    target.off("close", goOn);
    source.resume();
  };
  target.once("drain", goOn);
  target.once("close", goOn);
}
