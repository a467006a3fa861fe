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
import { fieldsOf, textOf } from "../base/narrow.ts";
import type { Access } from "../domain/agents/agent.ts";
import type { Failure, RunnerEvent } from "../domain/agents/runner.ts";
import { chooseModel } from "./choose-model.ts";
import { chooseOption, isAllowed } from "./decide-permission.ts";
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
const EXIT_MS = 500;
/** JSON-RPC error code of ACP: the CLI is not signed in. */
const AUTH_REQUIRED = -32_000;

/** Runs one prompt in one ACP session and emits what happens. */
export function startHost(options: HostOptions): Host {
  const child = startInGroup(options.command, options.cwd);
  const stopping = new AbortController();
  // The CLI's processes end with the host; what ignores this is swept by the launcher.
  const done = run(options, child, stopping.signal).finally(child.end);
  return { done, stop: () => stopping.abort() };
}

async function run(
  options: HostOptions,
  child: ChildInGroup,
  stopping: AbortSignal,
): Promise<number> {
  const { emit } = options;
  const startedAt = performance.now();
  try {
    const { response, text, cli } = await converse(options, child, stopping);
    for (const event of usageOf(cli, response)) emit(event);
    emit(endOf(response, text, Math.round(performance.now() - startedAt)));
    return response.stopReason === "end_turn" ? 0 : 1;
  } catch (error) {
    // When the CLI dies, its pipes close first; its exit code says more.
    const isAnswer = error instanceof RequestError || error instanceof SessionLost;
    const reason = isAnswer
      ? undefined
      : await Promise.race([child.gone, sleep(EXIT_MS, undefined)]);
    const described = reason === undefined ? describeError(error) : { error: reason };
    emit({ type: "end", ok: false, text: "", durationMs: null, ...described });
    return 1;
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
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "kuromajutsu", version: "1" },
    });
    const session = await openSession(agent, hello, options);
    options.emit({ type: "session", sessionId: session.sessionId, model: options.model });
    if (options.model !== null) await chooseModel(agent, session, options.model);
    await chooseMode(agent, session, options.access);
    if (options.access === "read-only" && !options.asksFirst) options.emit(NOT_GUARANTEED);
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
function createConversation({ access, emit }: Pick<HostOptions, "access" | "emit">) {
  const translator = createTranslator();
  const allowed = new Set<string>();
  let text = "";
  let violation: string | undefined;
  let cancel: (() => Promise<void>) | undefined;

  const app = client({ name: "kuromajutsu" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      // Updates before the prompt repeat the earlier conversation.
      if (!cancel) return;
      if (update.sessionUpdate === "usage_update") return emitCost(update.cost);
      for (const event of translator.events(update)) {
        if (event.type === "delta") text += event.text;
        // A message that follows a tool call is a new one.
        if (event.type === "tool_started") text = "";
        if (event.type === "tool_finished" && event.ok) checkWrite(event.callId);
        emit(event);
      }
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const known = translator.call(params.toolCall.toolCallId);
      const mayRun = isAllowed({ toolCall: { ...known, ...params.toolCall } }, access);
      if (mayRun) allowed.add(params.toolCall.toolCallId);
      const option = chooseOption(params.options, mayRun);
      return option
        ? { outcome: { outcome: "selected", optionId: option.optionId } }
        : { outcome: { outcome: "cancelled" } };
    });

  function emitCost(cost: { amount: number; currency: string } | null | undefined): void {
    // A CLI without the price of its model reports 0.
    if (cost?.currency === "USD" && cost.amount > 0) emit({ type: "cost", costUsd: cost.amount });
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
  { cwd, mcp, resumeSession }: HostOptions,
): Promise<NewSessionResponse> {
  const mcpServers = mcp ? [mcp] : [];
  if (resumeSession === null) return agent.request(methods.agent.session.new, { cwd, mcpServers });
  if (!agentCapabilities?.loadSession) throw new SessionLost("This CLI cannot continue sessions.");
  try {
    const loaded = await agent.request(methods.agent.session.load, {
      sessionId: resumeSession,
      cwd,
      mcpServers,
    });
    return { ...loaded, sessionId: resumeSession };
  } catch (error) {
    throw new SessionLost(`The session ${resumeSession} could not be continued: ${String(error)}`);
  }
}

/** Codex reviews every MCP call with another model unless it is in one of these modes. */
const MODES: Record<Access, string> = {
  "read-only": "read-only",
  "read-write": "agent-full-access",
};

async function chooseMode(agent: ClientContext, session: NewSessionResponse, access: Access) {
  const modeId = MODES[access];
  if (!session.modes?.availableModes.some(({ id }) => id === modeId)) return;
  await agent.request(methods.agent.session.setMode, { sessionId: session.sessionId, modeId });
}

class SessionLost extends Error {}

function endOf({ stopReason }: PromptResponse, text: string, durationMs: number): RunnerEvent {
  const ok = stopReason === "end_turn";
  const error = ok ? null : STOP_REASONS[stopReason];
  return { type: "end", ok, text, durationMs, error };
}

const STOP_REASONS = {
  max_tokens: "The model reached its limit of output tokens.",
  max_turn_requests: "The CLI reached its limit of requests to the model.",
  refusal: "The model refused to go on.",
  cancelled: "Cancelled.",
} as const;

function describeError(error: unknown): { readonly error: string; readonly failure?: Failure } {
  if (error instanceof SessionLost) {
    return { error: error.message, failure: { kind: "session-lost", resetsAt: null } };
  }
  if (error instanceof RequestError) {
    const details = textOf(fieldsOf(error.data).details) ?? textOf(fieldsOf(error.data).message);
    const message = details ? `${error.message}: ${details}` : error.message;
    if (error.code !== AUTH_REQUIRED) return { error: message };
    return {
      error: `The CLI is not signed in (${message}). Start it once in a terminal and sign in.`,
      failure: { kind: "signed-out", resetsAt: null },
    };
  }
  return { error: error instanceof Error ? error.message : String(error) };
}
