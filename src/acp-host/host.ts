import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  type NewSessionResponse,
  type PromptResponse,
} from "@agentclientprotocol/sdk";
import { startInGroup, type ChildInGroup } from "../base/child-in-group.ts";
import type { Access } from "../domain/agents/agent.ts";
import type { RunnerEvent } from "../domain/agents/runner.ts";
import { chooseMode } from "./choose-mode.ts";
import { chooseModel } from "./choose-model.ts";
import { chooseOption, isAllowed } from "./decide-permission.ts";
import { describeError, describeFailure, SessionLost } from "./describe-error.ts";
import { SESSION_FAILURES, sessionFailureIn } from "./session-failure.ts";
import { createTranslator, isWriting } from "./translate.ts";
import { usageOf } from "./usage-of.ts";

export type HostOptions = {
  /** The CLI with the arguments that make it speak ACP. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly prompt: string;
  readonly access: Access;
  /** Whether this CLI is known to ask before it writes. */
  readonly asksFirst: boolean;
  readonly model: string | null;
  /** The mode of the session; it may be what keeps a reading role from writing. */
  readonly mode: string | null;
  /** `_meta` of the session: options of the CLI that the protocol does not define. */
  readonly sessionMeta: Readonly<Record<string, unknown>>;
  readonly resumeSession: string | null;
  readonly mcp: McpServer | null;
  readonly emit: (event: RunnerEvent) => void;
};

export type Host = {
  /** Resolves with the exit code after the `end` event. */
  readonly done: Promise<number>;
  /** Asks the CLI to cancel, then ends it. */
  readonly stop: () => void;
};

const CANCEL_MS = 3_000;
/** A continued conversation is repeated, by Gemini even after it was loaded. */
const QUIET_MS = 500;
const MAX_REPEAT_MS = 20_000;
const EXIT_MS = 500;

const MAX_STARTS = 6;
const START_PAUSE_MS = 300;
/** Codex creates its databases at its first start in a home, and fails if another one does so, too. */
const BUSY_START = /sqlite state runtime|database is locked/i;

type End = Extract<RunnerEvent, { type: "end" }>;

/** Runs one prompt in one ACP session and emits what happens. */
export function startHost(options: HostOptions): Host {
  const stopping = new AbortController();
  return { done: run(options, stopping.signal), stop: () => stopping.abort() };
}

/** A CLI that failed before it had a session has done nothing, so it can be started again. */
async function run(options: HostOptions, stopping: AbortSignal): Promise<number> {
  for (let start = 1; ; start++) {
    let hasSession = false;
    const emit = (event: RunnerEvent): void => {
      hasSession ||= event.type === "session";
      options.emit(event);
    };
    const child = startInGroup(options.command, options.cwd);
    // The CLI's processes end with the host; what ignores this is swept by the launcher.
    const end = await runOnce({ ...options, emit }, child, stopping).finally(child.end);
    const isBusy = !hasSession && BUSY_START.test(end.error ?? "");
    if (!isBusy || stopping.aborted || start === MAX_STARTS) {
      options.emit(end);
      return end.ok ? 0 : 1;
    }
    await sleep(start * START_PAUSE_MS);
  }
}

async function runOnce(
  options: HostOptions,
  child: ChildInGroup,
  stopping: AbortSignal,
): Promise<End> {
  const program = options.command[0] ?? "";
  const startedAt = performance.now();
  try {
    const answer = await converse(options, child, stopping);
    for (const event of usageOf(answer.cli, answer.response)) options.emit(event);
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...endOf(answer, program), text: answer.text, durationMs };
  } catch (error) {
    // When the CLI dies, its pipes close first; its exit code says more.
    const isAnswer = error instanceof RequestError || error instanceof SessionLost;
    const reason = isAnswer
      ? undefined
      : await Promise.race([child.gone, sleep(EXIT_MS, undefined)]);
    const described = reason === undefined ? describeError(error, program) : { error: reason };
    return { type: "end", ok: false, text: "", durationMs: null, ...described };
  }
}

type Answer = {
  readonly response: PromptResponse;
  readonly text: string;
  /** The name that the CLI gives itself. */
  readonly cli: string | undefined;
};

async function converse(
  options: HostOptions,
  { stdin, stdout }: ChildInGroup,
  stopping: AbortSignal,
): Promise<Answer> {
  const conversation = createConversation(options);
  const stream = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout));
  return conversation.app.connectWith(stream, async (agent) => {
    const hello = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        _meta: SESSION_FAILURES,
      },
      clientInfo: { name: "kuromajutsu", version: "1" },
    });
    const session = await openSession(agent, hello, options);
    options.emit({ type: "session", sessionId: session.sessionId, model: options.model });
    if (options.model !== null) await chooseModel(agent, session, options.model);
    if (options.mode !== null) await chooseMode(agent, session, options.mode);
    if (options.access === "read-only" && !options.asksFirst) options.emit(NOT_GUARANTEED);
    if (options.resumeSession !== null) await conversation.untilQuiet();
    const cancel = () => agent.notify(methods.agent.session.cancel, session);
    conversation.begin(cancel);
    stopping.addEventListener("abort", () => void cancel());
    if (stopping.aborted) void cancel();
    const response = await within(
      agent.request(methods.agent.session.prompt, {
        sessionId: session.sessionId,
        prompt: [{ type: "text", text: options.prompt }],
      }),
      stopping,
    );
    const violation = conversation.violation();
    if (violation) throw new Error(violation);
    return { response, text: conversation.text(), cli: hello.agentInfo?.name };
  });
}

/** After a stop the CLI has a short time to answer the cancelled prompt. */
function within<T>(answer: Promise<T>, stopping: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      setTimeout(() => reject(new Error("Cancelled.")), CANCEL_MS).unref();
    };
    if (stopping.aborted) giveUp();
    else stopping.addEventListener("abort", giveUp);
  });
  return Promise.race([answer, late]);
}

const NOT_GUARANTEED: RunnerEvent = {
  type: "warning",
  text: "This CLI is not known to ask before it writes, so read-only access cannot be guaranteed. It is ended at its first write.",
};

/** The client side of the protocol: updates and permission requests of one session. */
function createConversation({ access, emit, command }: HostOptions) {
  const translator = createTranslator();
  let text = "";
  let lastUpdate = performance.now();
  let violation: string | undefined;
  let cancel: (() => Promise<void>) | undefined;

  const app = client({ name: "kuromajutsu" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      lastUpdate = performance.now();
      // Updates before the prompt repeat the earlier conversation.
      if (!cancel) return;
      if (update.sessionUpdate === "usage_update") return emitCost(update.cost);
      if (update.sessionUpdate === "session_info_update") return emitRetry(update._meta);
      for (const event of translator.events(update)) passOn(event);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      for (const event of translator.asked(params.toolCall)) passOn(event);
      const known = translator.call(params.toolCall.toolCallId);
      const mayRun = isAllowed({ toolCall: { ...known, ...params.toolCall } }, access);
      const option = chooseOption(params.options, mayRun);
      return option
        ? { outcome: { outcome: "selected", optionId: option.optionId } }
        : { outcome: { outcome: "cancelled" } };
    });

  function passOn(event: RunnerEvent): void {
    if (event.type === "delta") text += event.text;
    // A message that follows a tool call is a new one.
    if (event.type === "tool_started") text = "";
    if (event.type === "tool_finished" && event.ok) checkWrite(event.callId);
    emit(event);
  }

  function emitCost(cost: { amount: number; currency: string } | null | undefined): void {
    // A CLI without the price of its model reports 0.
    if (cost?.currency === "USD" && cost.amount > 0) emit({ type: "cost", costUsd: cost.amount });
  }

  function emitRetry(meta: unknown): void {
    const failed = sessionFailureIn(meta);
    if (!failed?.isRetry) return;
    // The text so far is repeated.
    text = "";
    const { failure } = describeFailure(failed.said, command[0] ?? "");
    const known = failure ?? (failed.kind && { kind: failed.kind, resetsAt: null });
    emit({ type: "retry", reason: failed.said, ...(known && { failure: known }) });
  }

  /** A read-only role must not write; a CLI that did not ask is stopped. */
  function checkWrite(callId: string): void {
    const call = translator.call(callId);
    if (access !== "read-only" || !call || !isWriting(call)) return;
    violation = `Stopped: the role is read-only, and the CLI changed files without asking (${call.title ?? "a tool"}).`;
    void cancel?.();
  }

  return {
    app,
    async untilQuiet(): Promise<void> {
      const since = performance.now();
      lastUpdate = since;
      for (let now = since; now - lastUpdate < QUIET_MS; now = performance.now()) {
        if (now - since > MAX_REPEAT_MS) return;
        await sleep(QUIET_MS / 10);
      }
    },
    begin(cancelSession: () => Promise<void>): void {
      cancel = cancelSession;
    },
    text: () => text,
    violation: () => violation,
  };
}

async function openSession(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  { cwd, mcp, resumeSession, sessionMeta }: HostOptions,
): Promise<NewSessionResponse> {
  const session = { cwd, mcpServers: mcp ? [mcp] : [], _meta: sessionMeta };
  if (resumeSession === null) return agent.request(methods.agent.session.new, session);
  if (!agentCapabilities?.loadSession) throw new SessionLost("This CLI cannot continue sessions.");
  try {
    const loaded = await agent.request(methods.agent.session.load, {
      ...session,
      sessionId: resumeSession,
    });
    return { ...loaded, sessionId: resumeSession };
  } catch (error) {
    throw new SessionLost(`The session ${resumeSession} could not be continued: ${String(error)}`);
  }
}

/** Some CLIs answer a failed turn like a successful one, with the failure beside it. */
function endOf({ response }: Answer, program: string) {
  const { stopReason } = response;
  const failed = sessionFailureIn(response._meta);
  if (failed?.isError) {
    return { type: "end", ok: false, ...describeFailure(failed.said, program) } as const;
  }
  const ok = stopReason === "end_turn";
  return { type: "end", ok, error: ok ? null : STOP_REASONS[stopReason] } as const;
}

const STOP_REASONS = {
  max_tokens: "The model reached its limit of output tokens.",
  max_turn_requests: "The CLI reached its limit of requests to the model.",
  refusal: "The model refused to go on.",
  cancelled: "Cancelled.",
} as const;
