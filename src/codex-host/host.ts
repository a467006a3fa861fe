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
  /** Resolves with the exit code after the `end` event. */
  readonly done: Promise<number>;
  /** Interrupts the turn, then ends the CLI. */
  readonly stop: () => void;
};

const INTERRUPT_MS = 3_000;
const EXIT_MS = 3_000;

/** Runs one turn in one thread of Codex and emits what happens. */
export function startHost(options: HostOptions): Host {
  const { command, cwd, apiKey } = options;
  // The key must not be written to the user's files.
  const login = apiKey === undefined ? [] : ["-c", 'cli_auth_credentials_store="ephemeral"'];
  const child = startInGroup([...command, ...login], cwd);
  const stopping = new AbortController();
  return { done: run(options, child, stopping.signal), stop: () => stopping.abort() };
}

type End = Extract<RunnerEvent, { type: "end" }>;

async function run(
  options: HostOptions,
  child: ChildInGroup,
  stopping: AbortSignal,
): Promise<number> {
  const turn = createTurn(options, child);
  const interrupt = (): void => {
    turn.interrupt();
    setTimeout(() => turn.fail("Cancelled."), INTERRUPT_MS).unref();
  };
  stopping.addEventListener("abort", interrupt);
  void child.gone.then(turn.fail);
  turn.begin().catch((error: Error) => turn.fail(error.message));
  const end = await turn.end;
  options.emit(end);
  // At the end of its input the CLI ends itself and the programs of its shell.
  child.stdin.end();
  await Promise.race([child.gone, sleep(EXIT_MS)]);
  child.end();
  return end.ok ? 0 : 1;
}

/** The client side of the protocol. */
function createTurn(options: HostOptions, { stdin, stdout }: ChildInGroup) {
  const { emit, access, server, inbox } = options;
  const over = Promise.withResolvers<End>();
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
    rpc.notify("initialized");
    const { apiKey } = options;
    if (apiKey !== undefined) await rpc.request("account/login/start", { type: "apiKey", apiKey });
    const opened = await rpc.request(...threadRequest(options));
    const id = textOf(fieldsOf(opened.thread).id) ?? "";
    threadId = id;
    emit({ type: "session", sessionId: id, model: textOf(opened.model) ?? null });
    const input = inputOf(options.prompt);
    const { turn } = await rpc.request("turn/start", { threadId: id, input });
    const turnId = textOf(fieldsOf(turn).id) ?? "";
    interrupt = () => void rpc.request("turn/interrupt", { threadId: id, turnId }).catch(() => {});
    const messages = watchInbox(inbox, (messageId, text) => void steer(id, turnId, messageId, text));
    void over.promise.then(messages.close);
  }

  /** `steered` is emitted when the model gets it: the CLI repeats the message with its id then. */
  async function steer(thread: string, turnId: string, id: string, text: string): Promise<void> {
    const message = { clientUserMessageId: id, input: inputOf(text) };
    try {
      await rpc.request("turn/steer", { threadId: thread, expectedTurnId: turnId, ...message });
    } catch {
      // The turn is over, or this version cannot do it. The agent's next tool call announces it.
    }
  }

  return { begin, fail, end: over.promise, interrupt: () => interrupt() };
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
