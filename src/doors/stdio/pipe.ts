import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { McpHello } from "../../contract/hello.ts";
import { createConversation, isInitialize, unreachable } from "./conversation.ts";
import { dropCancelled, isReport, takeUnserved } from "./held-lines.ts";
import { createLineCutter } from "./lines.ts";

/** A client that closed its end still gets the answers it is waiting for, for this long. */
const LAST_ANSWERS_MS = 5_000;
/** Back-off for a daemon that closes connections without an answer, because it has too many. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Requests that no daemon takes for this long are answered with an error. */
const MOST_UNSERVED_MS = 60_000;
const UNSERVED =
  "The Kuromajutsu daemon has served no connection for a minute: it has too many clients, or it refuses this one. Nothing was sent. Call again later; `kuromajutsu status` and the daemon's log say more.";

/**
 * start: bring a daemon up if none runs; wait: only take one that is there (what somebody stopped
 * on purpose stays stopped until the client has something to say); nothing: the client has left.
 */
export type Wanted = "start" | "wait" | "nothing";

export type PipeOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly hello: McpHello;
  /**
   * Finds the daemon; asks again and again what is wanted of it, and says when it has to start one.
   * Rejects when there is none to be had.
   */
  readonly connect: (wanted: () => Wanted, onStarting: () => void) => Promise<Socket | undefined>;
  /** What a daemon that is being started will answer to this line, if that is known. */
  readonly earlyHello: (line: string) => string | undefined;
  readonly pause?: (ms: number) => Promise<void>;
  /** Bounds the wait of a client that has closed its input; does not keep the process alive. */
  readonly lastWait?: (ms: number) => Promise<void>;
};

/**
 * Pipes lines between a client and the one daemon, across any number of daemons. Resolves when
 * the client has gone, rejects when no daemon can be reached.
 */
export async function runPipe(options: PipeOptions): Promise<void> {
  const {
    input,
    output,
    hello,
    connect,
    earlyHello,
    pause = sleep,
    lastWait = sleepUnref,
  } = options;
  const conversation = createConversation();
  const waiting: string[] = [];
  let socket: Socket | undefined;
  /**
   * The kernel accepts connections for a killed daemon until its listener is closed. A call that is
   * sent into such a connection was never in flight, so calls wait until the daemon has answered
   * something: `asked`, then `proved`.
   */
  let life: "unasked" | "asked" | "proved" = "unasked";
  let inputEnded = false;
  let wake: (() => void) | undefined;
  /** Only of a daemon that we start is it known what it will say, and only as the first word. */
  let mayGreet = false;
  /** Greeted in the name of a daemon that is not there yet. */
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
  /** Asks the daemon for a first answer; false if the client has said nothing that could be asked. */
  const askForLife = (target: Socket, first: string): boolean => {
    // A handshake can be sent twice: without an answer it is replayed to the next daemon.
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
    // What is left then needs no daemon: nothing more comes from this client.
    if (inputEnded && !waiting.some(isReport)) waiting.length = 0;
    wake?.();
  };
  const endInput = (): void => {
    inputEnded = true;
    wake?.();
    if (waiting.length > 0) void lastWait(MOST_UNSERVED_MS).then(giveUp);
  };
  input.on("data", createLineCutter(sendUp));
  input.once("end", endInput);
  output.on("error", endInput);

  const isHeld = (): boolean => waiting.length > 0 || conversation.openRequests() > 0;
  const isDone = (): boolean => inputEnded && waiting.length === 0 && !isPromised;
  /** The next question of a client that was greeted, which is then told that there is no daemon. */
  const isAsking = (): boolean => inputEnded || unreachable(waiting, "").length > 0;
  const nextQuestion = async (): Promise<void> => {
    while (!isAsking()) await new Promise<void>((resolve) => (wake = resolve));
  };
  let pauseMs = FIRST_PAUSE_MS;
  /** The sum of the pauses: a changed clock neither ends nor prolongs the wait. */
  let unservedMs = 0;
  for (let isFirst = true; ; isFirst = false) {
    let hasStarted = false;
    const wanted = (): Wanted => {
      if (isDone()) return "nothing";
      // A hello that no daemon has answered is a question too.
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
    const cut = createLineCutter((line) => {
      isServed = true;
      life = "proved";
      flush(connected);
      if (conversation.fromDaemon(line) && !output.write(`${line}\n`))
        pauseUntilDrained(connected, output);
      if (inputEnded) wake?.();
    });
    connected.on("data", cut);
    connected.on("error", () => {});
    const replayed = conversation.replay();
    for (const line of [JSON.stringify(hello), ...replayed]) connected.write(`${line}\n`);
    socket = connected;
    // Where a daemon had to be started, no listener of an earlier one answered before.
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function sleepUnref(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
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
