import { setTimeout as sleep } from "node:timers/promises";
import { startInGroup, type ChildInGroup } from "../base/child-in-group.ts";
import { watchInbox } from "../base/inbox.ts";
import { fieldsOf, textOf, type Fields } from "../base/narrow.ts";
import type { Access } from "../domain/agents/agent.ts";
import type { RunnerEvent } from "../domain/agents/runner.ts";
import { answerRequest } from "./answer-request.ts";
import { createRpc } from "./rpc.ts";
import { eventsOf, UNUSED_NOTIFICATIONS } from "./translate.ts";

export type HostOptions = {
  /** Codex with the arguments that make it an app server. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly prompt: string;
  readonly access: Access;
  readonly model: string | null;
  readonly resumeSession: string | null;
  /** The name of our MCP server in the configuration of this run. */
  readonly server: string;
  /** The file that the daemon appends messages to. */
  readonly inbox: string;
  /** The app server, other than `codex exec`, does not read it from the environment. */
  readonly apiKey: string | undefined;
  readonly emit: (event: RunnerEvent) => void;
};

export type Host = {
  /**
   * Resolves with the exit code, after the `end` event. If the CLI dies there is none: its stderr says
   * more.
   */
  readonly done: Promise<number>;
  /** Interrupts the turn, then ends the CLI. */
  readonly stop: () => void;
};

const INTERRUPT_MS = 3_000;
const EXIT_MS = 3_000;
const MAX_STARTS = 6;
const START_PAUSE_MS = 300;

type End = Extract<RunnerEvent, { type: "end" }>;

/** Runs one turn in one thread of Codex and emits what happens. */
export function startHost(options: HostOptions): Host {
  const stopping = new AbortController();
  return { done: run(options, stopping.signal), stop: () => stopping.abort() };
}

/**
 * The app server creates its databases at its first start in a home, and exits if another one does
 * so at the same time. It has done nothing then, so it is started again.
 */
async function run(options: HostOptions, stopping: AbortSignal): Promise<number> {
  for (let start = 1; ; start++) {
    const { end, isReady } = await runOnce(options, stopping);
    if (end) return end.ok ? 0 : 1;
    if (isReady || start === MAX_STARTS) return 1;
    await sleep(start * START_PAUSE_MS);
  }
}

/** Without an end the CLI has died; it is ready when it has answered at all. */
async function runOnce(
  options: HostOptions,
  stopping: AbortSignal,
): Promise<{ readonly end?: End; readonly isReady?: boolean }> {
  const { command, cwd, apiKey } = options;
  // The key must not be written to the user's files.
  const login = apiKey === undefined ? [] : ["-c", 'cli_auth_credentials_store="ephemeral"'];
  const child = startInGroup([...command, ...login], cwd);
  const turn = createTurn(options, child);
  turn.begin().catch((error: Error) => turn.fail(error.message));
  const stop = (): void => {
    turn.interrupt();
    setTimeout(() => turn.fail("Cancelled."), INTERRUPT_MS).unref();
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener("abort", stop);
  const end = await Promise.race([turn.end, child.gone]);
  turn.close();
  if (typeof end === "string") {
    process.stderr.write(`${end}\n`);
    return { isReady: turn.isReady() };
  }
  options.emit(end);
  // At the end of its input the CLI ends itself and the programs of its shell.
  child.stdin.end();
  await Promise.race([child.gone, sleep(EXIT_MS)]);
  child.end();
  return { end };
}

/** The client side of the protocol. */
function createTurn(options: HostOptions, { stdin, stdout }: ChildInGroup) {
  const { emit, access, server, inbox } = options;
  const over = Promise.withResolvers<End>();
  const closed = Promise.withResolvers<void>();
  let isReady = false;
  let threadId: string | undefined;
  let interrupt = (): void => fail("Cancelled.");

  function fail(error: string): void {
    over.resolve({ type: "end", ok: false, text: "", durationMs: null, error });
  }

  const rpc = createRpc({
    stdin,
    stdout,
    onRequest: (method) => answerRequest(method, access),
    onNotification(method, params) {
      const about = textOf(params.threadId) ?? threadId;
      // Sub-agents have threads of their own.
      if (threadId !== undefined && about !== threadId) return;
      for (const event of eventsOf(method, params, server)) {
        if (event.type === "end") over.resolve(event);
        else emit(event);
      }
    },
  });

  async function begin(): Promise<void> {
    await rpc.request("initialize", {
      clientInfo: { name: "kuromajutsu", title: "Kuromajutsu", version: "1" },
      capabilities: { optOutNotificationMethods: UNUSED_NOTIFICATIONS },
    });
    isReady = true;
    rpc.notify("initialized");
    const { apiKey } = options;
    if (apiKey !== undefined) await rpc.request("account/login/start", { type: "apiKey", apiKey });
    const opened = await rpc.request(...threadRequest(options));
    const id = textOf(fieldsOf(opened.thread).id) ?? "";
    threadId = id;
    emit({ type: "session", sessionId: id, model: textOf(opened.model) ?? null });
    const input = inputOf(options.prompt);
    const { turn } = await rpc.request("turn/start", { threadId: id, input });
    const at = { threadId: id, turnId: textOf(fieldsOf(turn).id) ?? "" };
    interrupt = () => void rpc.request("turn/interrupt", at).catch(() => undefined);
    const messages = watchInbox(inbox, (message, text) => void steer(at, message, text));
    void closed.promise.then(() => messages.close());
  }

  /** `steered` is emitted when the model gets it: then the CLI repeats the message with its id. */
  async function steer(
    at: { readonly threadId: string; readonly turnId: string },
    id: string,
    text: string,
  ): Promise<void> {
    const message = { clientUserMessageId: id, input: inputOf(text) };
    const place = { threadId: at.threadId, expectedTurnId: at.turnId };
    try {
      await rpc.request("turn/steer", { ...place, ...message });
    } catch {
      // The turn is over, or this version cannot do it. The agent's next tool call announces it.
    }
  }

  return {
    begin,
    fail,
    end: over.promise,
    interrupt: () => interrupt(),
    close: closed.resolve,
    isReady: () => isReady,
  };
}

function threadRequest(options: HostOptions): [method: string, params: Fields] {
  const { access, cwd, model, resumeSession } = options;
  const params = {
    cwd,
    approvalPolicy: "never",
    sandbox: access === "read-only" ? "read-only" : "danger-full-access",
    ...(model !== null && { model }),
  };
  if (resumeSession === null) return ["thread/start", params];
  return ["thread/resume", { ...params, threadId: resumeSession, excludeTurns: true }];
}

function inputOf(text: string) {
  return [{ type: "text", text, text_elements: [] }];
}
