import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Log } from "../../../app/ports/world.ts";
import { createLineSplitter } from "../../../base/lines.ts";
import { explainExhausted, isExhausted } from "../../exhausted.ts";
import type { LauncherAnswer, LauncherRequest } from "./launcher-messages.ts";

const CLOSE_MS = 5_000;
/** The daemon first serves the clients that wait for its start. */
const START_AFTER_MS = 250;
/** After this many launchers in a row that end before their first message, report an error. */
const HOPELESS_AFTER = 3;
/** Back-off while there is no descriptor, process or memory for a launcher. */
const RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

type ClientOptions = {
  readonly command: readonly string[];
  readonly log: Log;
  /** The first requests for each new launcher. */
  readonly greet: () => readonly LauncherRequest[];
  readonly onAnswer: (answer: LauncherAnswer) => void;
  /** Called after all its answers. `error` is set when launchers do not start at all. */
  readonly onDeath: (launcher: number, error: string | null) => void;
};

/** Keeps one launcher running. Launchers are numbered: each new one gets the next number. */
export function createLauncherClient(options: ClientOptions) {
  const { command, log, greet, onAnswer, onDeath } = options;
  let child: Child | undefined;
  let launcher = 0;
  let failures = 0;
  const shortage = createShortage(log);
  let isTrying = false;
  let backlog: LauncherRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  let onClosed: (() => void) | undefined;

  // Started shortly after the daemon even without a request, so that the first agent finds it ready.
  timer = setTimeout(start, START_AFTER_MS);
  timer.unref();

  function startIfNeeded(): void {
    if (child || isTrying || launcher > 0 || shortage.isOngoing() || isClosing) return;
    clearTimeout(timer);
    start();
  }

  function start(): void {
    isTrying = true;
    spawnLauncher(command, serve, notStarted);
  }

  function notStarted(error: unknown): void {
    isTrying = false;
    if (isClosing) return;
    if (!isExhausted(error)) {
      backlog = [];
      return ended(error instanceof Error ? error.message : String(error), false);
    }
    // No launcher has seen the requests, so they stay in the backlog for the next one.
    timer = setTimeout(start, shortage.pauseAfter(error));
  }

  function ended(reason: string, wasReady: boolean): void {
    failures = wasReady ? 0 : failures + 1;
    const dead = launcher++;
    if (failures <= HOPELESS_AFTER)
      log.error("The launcher has ended; starting another.", { reason });
    onDeath(dead, failures >= HOPELESS_AFTER ? `The launcher does not start: ${reason}` : null);
    timer = setTimeout(start, failures === 0 ? 0 : Math.min(1_000, 100 * failures));
  }

  function serve(started: Child): void {
    shortage.end();
    isTrying = false;
    let isReady = false;
    child = started;
    const onMessage = (answer: LauncherAnswer): void => {
      if (answer.type === "ready") isReady = true;
      else onAnswer(answer);
    };
    listenTo(started, onMessage, (reason) => {
      child = undefined;
      if (isClosing) onClosed?.();
      else ended(reason, isReady);
    });
    const queued = backlog;
    backlog = [];
    for (const request of [...greet(), ...queued]) write(started, request);
  }

  return {
    /** Returns the number of the launcher that gets the request, now or once it has started. */
    send(request: LauncherRequest): number {
      startIfNeeded();
      if (child) write(child, request);
      else backlog.push(request);
      return launcher;
    },
    get pid(): number | undefined {
      return child?.pid;
    },
    /** `isForGood`: the launcher stays until it has ended the agents. */
    async close(isForGood: boolean): Promise<void> {
      isClosing = true;
      clearTimeout(timer);
      const last = child;
      if (!last) return;
      if (isForGood) return leaveAlone(last);
      await new Promise<void>((resolve) => {
        onClosed = resolve;
        endSoon(last);
      });
    },
  };
}

/** While the machine has no descriptor, process or memory left for a launcher. */
function createShortage(log: Log) {
  let failures = 0;
  return {
    isOngoing: () => failures > 0,
    /** Returns how long to wait before the next attempt. */
    pauseAfter(error: unknown): number {
      failures += 1;
      if (failures === 1) {
        const reason = explainExhausted(error);
        log.error("Could not start the launcher; trying again.", { reason });
      }
      return Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (failures - 1));
    },
    end(): void {
      if (failures > 0) log.info("The launcher was started.", { attempts: failures + 1 });
      failures = 0;
    },
  };
}

function endSoon(child: Child): void {
  const killTimer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
  child.once("close", () => clearTimeout(killTimer));
  write(child, { type: "bye" });
  child.stdin.end();
}

/** Without a bye: the launcher takes this process for killed. It must not keep this process alive. */
function leaveAlone(child: Child): void {
  child.stdin.end();
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

function listenTo(
  child: Child,
  onAnswer: (answer: LauncherAnswer) => void,
  onEnd: (reason: string) => void,
): void {
  let hasEnded = false;
  let stderrTail = "";

  function end(reason: string): void {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(reason);
  }

  child.once("error", (error) => end(error.message));
  child.once("close", (code, signal) => end(stderrTail || `it ended with ${code ?? signal}`));
  // A broken pipe is followed by the close event.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-1_000);
  });
  // Not validated: both ends of this pipe are the same build.
  const answers = createLineSplitter((line) => onAnswer(JSON.parse(line)));
  child.stdout.on("data", answers.push);
}

function write(to: Child, request: LauncherRequest): void {
  to.stdin.write(`${JSON.stringify(request)}\n`);
}

function spawnLauncher(
  [file = "", ...rest]: readonly string[],
  onStarted: (child: Child) => void,
  onFailed: (error: unknown) => void,
): void {
  // The launcher needs only a PATH to find `ps`; each agent's environment comes in its message.
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
  try {
    const child = spawn(file, rest, { env, stdio: ["pipe", "pipe", "pipe"] });
    // A child without a pid has no streams; its error event has the reason.
    if (child.pid === undefined) child.once("error", onFailed);
    else onStarted(child);
  } catch (error) {
    onFailed(error);
  }
}
