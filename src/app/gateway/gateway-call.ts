import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentCall, Delivery } from "../../domain/gateway/tool-call.ts";
import type { AgentId, ApprovalId, ToolCallId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import type {
  JsonObject,
  UpstreamAnswer,
  UpstreamProgress,
  UpstreamTool,
} from "../ports/upstream.ts";
import type { Patience } from "./hold-call.ts";
import type { CallEnd } from "./record-answer.ts";

export type CallUpstreamTool = Patience & {
  /** The name in tools/list. */
  readonly name: string;
  readonly args: JsonObject;
  onProgress(progress: UpstreamProgress): void;
  /** Absent: the answer is delivered if the caller is still there when it is returned. */
  readonly onDelivery?: OnDelivery | undefined;
  /** Why the signal was aborted: the caller is still there, but cut off, and will call again. */
  readonly isCutOff?: (() => boolean) | undefined;
};

/**
 * Calls `note` when the answer was handed to the caller's connection, and with false when the connection
 * ended first. A caller that comes back for the rest of the answer may cause a second call.
 */
export type OnDelivery = (note: (isDelivered: boolean) => void) => void;

export type GatewayCall = CallUpstreamTool & {
  readonly agentId: AgentId;
  readonly role: string;
  readonly tool: UpstreamTool;
};

/** One attempt to send a call. */
export type Attempt = {
  readonly id: ToolCallId;
  /** The approval that it waited for before. */
  readonly waitedFor: ApprovalId | undefined;
  /** The earlier call of which no server said in time that its answer was delivered. */
  readonly undeliveredId: ToolCallId | undefined;
};

export type CallVerdict =
  | {
      readonly kind: "answer";
      readonly answer: UpstreamAnswer;
      /** The earlier call whose answer did not reach the agent. */
      readonly redelivers?: ToolCallId;
    }
  /** The same call was answered just now; it is not known yet whether the agent got the answer. */
  | { readonly kind: "being_delivered"; readonly call: Pick<AgentCall, "id"> }
  /** The same call is in flight, or used up the approval for which this one waited. */
  | { readonly kind: "shared"; readonly call: Pick<AgentCall, "id"> }
  | { readonly kind: "wait"; readonly approval: Approval }
  | {
      readonly kind: "send";
      /** null: the call is not stored. */
      readonly call: Pick<AgentCall, "id" | "handedTo"> | null;
      readonly idempotencyKey: string;
    };

/** What differs between calls in an execution and calls outside a task. */
export type CallRules = {
  readonly canPark: boolean;
  /** Settles earlier calls whose end could not be stored. */
  settleUnrecorded(core: Core, call: GatewayCall): Promise<void>;
  /** Decides about the call and stores the intent, in one transaction. */
  authorize(
    core: Core,
    unit: UnitOfWork,
    call: GatewayCall,
    attempt: Attempt,
  ): Promise<CallVerdict>;
  getCall(queries: Queries, id: ToolCallId): Promise<AgentCall | undefined>;
  record(core: Core, unit: UnitOfWork, id: ToolCallId, end: CallEnd): Promise<void>;
  listForwarded(queries: Queries): Promise<readonly AgentCall[]>;
  /** This server forwards the call that another one handed to it. */
  take(unit: UnitOfWork, id: ToolCallId, serverId: string): Promise<void>;
  /** The lost call that an outcome approval is about. */
  readonly findLost: (unit: UnitOfWork, asked: Approval) => Promise<AgentCall | undefined>;
  markDelivery(unit: UnitOfWork, id: ToolCallId, delivery: Delivery): Promise<void>;
};

/** Enters the call before its intent is committed, so that a later stop always finds it. */
export async function whileInFlight<Done>(
  core: Core,
  { agentId, tool, signal, isCutOff }: GatewayCall,
  work: (id: ToolCallId, signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const id = `call-${core.random.ulid(core.clock.now())}` as const;
  const abort = new AbortController();
  const leave = core.calls.enter({ id, agentId, server: tool.server, tool: tool.name, abort });
  const giveUp = (): void => {
    // The answer of a call that was sent is stored for the caller's next attempt.
    if (isCutOff?.() !== true) abort.abort(signal.reason);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await work(id, abort.signal);
  } finally {
    signal.removeEventListener("abort", giveUp);
    leave();
  }
}

export function tookEffect(by: string | null): UpstreamAnswer {
  const text = `${by ?? "A person"} confirmed that this call took effect; its answer was lost. It was not made again. Go on with the next step.`;
  return { content: [{ type: "text", text }], isError: false };
}
